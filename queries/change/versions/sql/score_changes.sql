-- score_changes: one row per metric of the rescored submissions: how its scores changed.
WITH pair AS (
    SELECT unnest($submissions) AS submission_id, unnest($metrics) AS metric,
        unnest($old) AS old_signature_id, unnest($new) AS new_signature_id
),
changed AS (
    SELECT
        pair.metric, pair.submission_id, old.score AS old_score, new.score AS new_score,
        new.score - old.score AS change, old.score IS DISTINCT FROM new.score AS differs
    FROM pair
    JOIN submission_score AS old
        ON old.submission_id = pair.submission_id AND old.signature_id = old_signature_id
    JOIN submission_score AS new
        ON new.submission_id = pair.submission_id AND new.signature_id = new_signature_id
)
SELECT
    metric,
    count(*) AS submissions,
    count(*) FILTER (differs) AS changed,
    first(submission_id ORDER BY abs(change) DESC NULLS LAST, submission_id) AS submission_id,
    first(old_score ORDER BY abs(change) DESC NULLS LAST, submission_id) AS old_score,
    first(new_score ORDER BY abs(change) DESC NULLS LAST, submission_id) AS new_score
FROM changed
GROUP BY metric
ORDER BY metric;
