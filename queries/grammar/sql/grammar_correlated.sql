-- grammar_correlated: one row per rule set by which outputs are scored, and kind of trees these have.
SELECT DISTINCT
    signature.parameters ->> '$.rules' AS rule_set_id,
    submission.submission_id AS name,
    treebank.language,
    word.scheme
FROM current_scoring
JOIN signature USING (signature_id, metric)
JOIN submission USING (submission_id)
JOIN treebank ON treebank.treebank_id = submission.treebank_id
LEFT JOIN (
    SELECT submission_id, mode(relation_scheme(deprel)) AS scheme
    FROM output_token
    WHERE head IS NOT NULL
    GROUP BY submission_id
) AS word USING (submission_id)
WHERE current_scoring.metric = 'grammar' AND list_contains($submissions, submission_id)
ORDER BY ALL;
