"""Files → tables: one module per source format, one write path."""
