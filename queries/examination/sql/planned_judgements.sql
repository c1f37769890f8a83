-- planned_judgements: one row per annotator, output and criterion that was judged in a campaign ($campaign_id): the score.
-- Ordinary and repeated judgements, averaged; $ranked_by 'z' standardises by all the annotator's scores on the criterion
-- (sample deviation). Scores that files brought stand for what has no judgements; their annotator is not known.
WITH scale AS (
    SELECT
        annotator_id, criterion,
        avg(raw_score ORDER BY raw_score) AS mean,
        stddev_samp(raw_score ORDER BY raw_score) AS deviation
    FROM judgement
    WHERE campaign_id = $campaign_id
    GROUP BY ALL
),
judged AS (
    SELECT
        treebank_id, criterion, submission_id, sentence_no, annotator_id,
        avg(if($ranked_by = 'raw', raw_score, (raw_score - mean) / nullif(deviation, 0))) AS score
    FROM judgement
    JOIN scale USING (annotator_id, criterion)
    WHERE campaign_id = $campaign_id
        AND kind IN ('ordinary', 'repeat')
        AND submission_id IS NOT NULL
    GROUP BY ALL
),
given AS (
    SELECT
        treebank_id, criterion, submission_id, sentence_no, NULL AS annotator_id,
        if($ranked_by = 'raw', raw_mean, z_score) AS score
    FROM human_score
    JOIN submission USING (submission_id)
    WHERE campaign_id = $campaign_id
        AND (treebank_id, criterion) NOT IN (SELECT (treebank_id, criterion) FROM judged)
)
FROM judged WHERE isfinite(score)
UNION ALL
FROM given WHERE isfinite(score)
ORDER BY treebank_id, criterion, submission_id, sentence_no, annotator_id;
