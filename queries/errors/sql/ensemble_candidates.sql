-- ensemble_candidates: one row per submission that may take part in an ensemble of a treebank, with its edge accuracy.
-- Human references and ensembles only where systems are named ($named); never the ensemble's own ($name).
-- grain: submission_id
SELECT
    submission_id,
    campaign_id,
    system_id,
    iteration,
    reference_form,
    analysis,
    track,
    submission_score.score
FROM submission
LEFT JOIN system USING (system_id)
LEFT JOIN (FROM current_scoring WHERE metric = 'dea') AS scored USING (submission_id)
LEFT JOIN submission_score USING (submission_id, signature_id)
WHERE
    treebank_id = $treebank_id
    AND campaign_id = coalesce($campaign, campaign_id)
    AND system_id <> $name
    AND ($named OR (kind IS DISTINCT FROM 'human' AND (tags ->> 'ensemble') IS NULL))
ORDER BY campaign_id, system_id, iteration;
