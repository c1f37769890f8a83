-- entropy_pairs: one row per submission at hand: entropy and accuracy of its relations, in the order of their names.
SELECT
    submission_id,
    coalesce(list(entropy ORDER BY deprel) FILTER (WHERE dea IS NOT NULL), []) AS entropy,
    coalesce(list(dea ORDER BY deprel) FILTER (WHERE dea IS NOT NULL), []) AS dea
FROM pending_analysis
LEFT JOIN entropy_dea USING (submission_id)
GROUP BY submission_id
ORDER BY submission_id;
