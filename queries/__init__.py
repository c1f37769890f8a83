"""Tables → numbers: vectorised functions, SQL macros, scoring statements, views and audits."""
