-- analysis_inputs: one row per scored submission: what an analysis of it rests on.
WITH used AS (
    SELECT
        submission_id,
        string_agg(metric || ':' || signature_id, ' ' ORDER BY metric) AS scores
    FROM current_scoring
    WHERE $metrics IS NULL OR list_contains($metrics, metric)
    GROUP BY submission_id
),
human AS (
    SELECT
        submission_id,
        string_agg(concat_ws(' ', sentence_no, criterion, z_score), ',' ORDER BY sentence_no, criterion)
            AS human_scores
    FROM human_score
    GROUP BY submission_id
),
marks AS (
    SELECT
        submission_id,
        string_agg(concat_ws(' ', sentence_no, criterion, errors::VARCHAR), ',' ORDER BY sentence_no, criterion) AS marks
    FROM marked_outputs
    WHERE len(list_filter($metrics, lambda measure: errors_of(measure, criterion, errors) IS NOT NULL)) > 0
    GROUP BY submission_id
)
SELECT
    submission_id, treebank_id, coalesce(scores, '') AS scores,
    sha256(concat_ws(' ', submission.sha256, treebank.sha256, human_scores, marks)) AS data_sha256
FROM submission
JOIN treebank USING (treebank_id)
LEFT JOIN used USING (submission_id)
LEFT JOIN human USING (submission_id)
LEFT JOIN marks USING (submission_id)
WHERE scores IS NOT NULL OR human_scores IS NOT NULL OR marks IS NOT NULL
ORDER BY treebank_id, submission_id;
