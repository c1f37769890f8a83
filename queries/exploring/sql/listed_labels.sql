-- listed_labels: one row per submission, label of its sentences and value: the scores of the sentences with the value.
SELECT
    label,
    value,
    any_value(score) FILTER (WHERE metric = '{headline}') AS {headline},
    max(sentences) AS sentences,
    submission_id
FROM slice_score
JOIN current_scoring USING (submission_id, metric, signature_id)
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
    AND list_contains($submissions, submission_id)
GROUP BY submission_id, label, value
ORDER BY submission_id, label = 'document', label, try_cast(regexp_extract(value, '^\d{1,18}') AS BIGINT) NULLS LAST, value;
