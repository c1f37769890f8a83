-- columns_of_owned: one row per column of some tables of the database.
SELECT table_name, column_name
FROM duckdb_columns()
WHERE
    list_contains($tables, table_name) AND schema_name = 'main'
    AND database_name = current_database()
ORDER BY ALL;
