-- judged_system: one row per submission and criterion that people judged, human references left out: its mean z-score.
-- A reference put in among the systems is no system, and so far above them that it alone would make a correlation.
CREATE OR REPLACE TEMP VIEW judged_system AS
SELECT
    submission.campaign_id,
    submission.treebank_id,
    submission_id,
    submission.system_id || CASE WHEN iteration > 1 THEN '@' || iteration ELSE '' END AS system,
    criterion,
    avg(z_score ORDER BY z_score) AS z_score
FROM human_score
JOIN submission USING (submission_id)
JOIN system USING (system_id)
WHERE system.kind <> 'human' AND z_score IS NOT NULL
GROUP BY ALL;
