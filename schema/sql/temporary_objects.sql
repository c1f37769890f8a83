-- temporary_objects: one row per temporary view or table of the connection, views before the tables they read.
SELECT 'VIEW', view_name FROM duckdb_views() WHERE temporary AND NOT internal
UNION ALL
SELECT 'TABLE', table_name FROM duckdb_tables() WHERE temporary;
