-- listed_pair_labels: one row per label and value: how the score by a metric ($metric) changed in the sentences with the value.
-- p-values are those of the stored comparison, where it has some.
WITH scored AS (
    SELECT label, value, score, sentences, submission_id
    FROM slice_score
    JOIN current_scoring USING (submission_id, metric, signature_id)
    WHERE metric = $metric AND submission_id IN ($submission, $base)
)
SELECT
    own.label,
    own.value,
    other.score                 AS base_score,
    own.score,
    own.score - other.score     AS change,
    p_holm,
    own.sentences
FROM scored AS own
JOIN scored AS other ON other.submission_id = $base AND other.label = own.label AND other.value = own.value
LEFT JOIN measure_changes AS tested
    ON tested.submission_id = $submission AND tested.base_submission_id = $base
    AND tested.measure = $metric || '[' || own.label || '=' || own.value || ']'
WHERE own.submission_id = $submission
ORDER BY
    own.label = 'document', own.label, try_cast(regexp_extract(own.value, '^\d{1,18}') AS BIGINT) NULLS LAST, own.value;
