-- grammar_standing_settings: one row per rule set and way of counting that some treebanks' submissions are scored by.
WITH newest AS (
    SELECT
        treebank_id,
        arg_max(parameters ->> '$.rules', current_scoring.revision) AS rule_set_id,
        arg_max(parameters ->> '$.applicable', current_scoring.revision) AS applicable
    FROM current_scoring
    JOIN signature USING (signature_id, metric)
    WHERE metric = 'grammar'
    GROUP BY treebank_id
)
SELECT rule_set_id, applicable, list(submission_id ORDER BY submission_id) AS submissions
FROM submission
JOIN newest USING (treebank_id)
GROUP BY rule_set_id, applicable
ORDER BY rule_set_id, applicable;
