"""What people see: text on a terminal, tables, charts, pages and files for other programs."""
