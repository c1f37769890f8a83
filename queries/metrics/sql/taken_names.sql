-- taken_names: one row per word that cannot name a metric: columns of other things, and words of SQL.
SELECT column_name
FROM duckdb_columns()
WHERE database_name = current_database()
    AND table_name IN (
        'sentence_score', 'submission_score', 'leaderboard', 'output_scores', 'submission_history', 'mf_scores'
    )
    AND column_name NOT IN (SELECT metric FROM external_metric)
UNION
SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved';
