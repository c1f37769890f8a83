-- block_shares: one row per table: bytes of its part of the blocks it lies in, each block cut evenly.
WITH segment AS (
    SELECT *, count(*) OVER (PARTITION BY block_id) AS sharing FROM stored_segment
)
SELECT table_name, sum($block_size / sharing) AS bytes
FROM segment
GROUP BY table_name;

-- columns_of_tables: one row per table of the database: the names of its columns.
SELECT table_name, list(column_name) AS columns
FROM duckdb_columns()
SEMI JOIN duckdb_tables() USING (database_name, schema_name, table_name)
WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal
GROUP BY table_name
ORDER BY table_name;

-- pruned_comparisons: one row per comparison that can go: it no longer holds.
-- $submissions: of these submissions.
CREATE OR REPLACE TEMP TABLE pruned_comparison AS
SELECT submission_id, base_submission_id, settings_id
FROM superseded_comparison
WHERE list_contains($submissions, submission_id);
