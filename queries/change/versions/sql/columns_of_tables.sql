-- columns_of_tables: one row per table of the database: the names of its columns.
SELECT table_name, list(column_name) AS columns
FROM duckdb_columns()
SEMI JOIN duckdb_tables() USING (database_name, schema_name, table_name)
WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal
GROUP BY table_name
ORDER BY table_name;
