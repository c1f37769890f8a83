-- judged_scores: one row per treebank of a campaign ($campaign_id), criterion, level and metric: scores beside human z-scores.
-- The three lists name the systems, or the outputs, of a treebank, criterion and level in the same order for each metric.
WITH judged AS (
    FROM judged_system
    WHERE campaign_id = $campaign_id
),
unit AS (  -- a system is sentence 0
    SELECT treebank_id, criterion, 'system' AS level, submission_id, 0 AS sentence_no, system, z_score
    FROM judged
    UNION ALL
    SELECT
        treebank_id, criterion, 'sentence', submission_id, human_score.sentence_no, system,
        human_score.z_score
    FROM judged
    JOIN human_score USING (submission_id, criterion)
    WHERE human_score.z_score IS NOT NULL
),
current AS (
    FROM current_scoring
    SEMI JOIN judged USING (submission_id)
),
score AS (
    SELECT 'system' AS level, submission_id, 0 AS sentence_no, metric, signature_id, score
    FROM submission_score
    SEMI JOIN current USING (submission_id, metric, signature_id)
    UNION ALL
    SELECT 'sentence', submission_id, sentence_no, metric, signature_id, score
    FROM sentence_score
    SEMI JOIN current USING (submission_id, metric, signature_id)
),
measured AS (
    SELECT DISTINCT treebank_id, criterion, unit.level, metric
    FROM (SELECT DISTINCT treebank_id, criterion, level, submission_id FROM unit) AS unit
    JOIN (SELECT DISTINCT level, submission_id, metric FROM score) AS scored
        ON scored.level = unit.level AND scored.submission_id = unit.submission_id
)
SELECT
    measured.treebank_id, measured.criterion, measured.level, measured.metric,
    list(unit.system ORDER BY unit.submission_id, unit.sentence_no)  AS systems,
    list(unit.z_score ORDER BY unit.submission_id, unit.sentence_no) AS z_scores,
    list(score.score ORDER BY unit.submission_id, unit.sentence_no)  AS scores,
    count(DISTINCT signature_id)                                     AS signatures
FROM measured
JOIN unit USING (treebank_id, criterion, level)
LEFT JOIN score
    ON score.level = unit.level
    AND score.submission_id = unit.submission_id
    AND score.sentence_no = unit.sentence_no
    AND score.metric = measured.metric
GROUP BY measured.treebank_id, measured.criterion, measured.level, measured.metric
ORDER BY measured.treebank_id, measured.criterion, measured.level, measured.metric;
