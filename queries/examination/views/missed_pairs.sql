-- missed_pairs: one row per output with a major or critical error, criterion and metric: in how many pairs the metric misses it.
-- grain: submission_id, sentence_no, criterion, metric
-- reads: current_scoring, marked_outputs
-- group: internal
-- A pair is such an output and one of the same sentence, campaign and criterion without such an error. The metric misses
-- the error where it gives the first a score as good or better.
CREATE OR REPLACE VIEW missed_pairs AS
WITH scored AS (
    SELECT
        submission.campaign_id, submission.treebank_id, marked_outputs.submission_id, marked_outputs.sentence_no, criterion,
        list_distinct(list_transform(
            list_filter(errors, lambda span: span.severity IN ('major', 'critical')),
            lambda span: coalesce(span.category, 'uncategorised')
        )) AS categories,
        sentence_score.metric,
        CASE WHEN signature.better = 'lower' THEN -score ELSE score END AS score
    FROM marked_outputs
    JOIN submission USING (submission_id)
    JOIN sentence_score
        ON sentence_score.submission_id = marked_outputs.submission_id
        AND sentence_score.sentence_no = marked_outputs.sentence_no
    JOIN signature ON signature.signature_id = sentence_score.signature_id
    SEMI JOIN current_scoring
        ON current_scoring.submission_id = sentence_score.submission_id
        AND current_scoring.metric = sentence_score.metric
        AND current_scoring.signature_id = sentence_score.signature_id
    WHERE score IS NOT NULL
)
SELECT
    bad.submission_id,                           -- the submission with the error
    bad.campaign_id,                             -- its campaign
    bad.treebank_id,                             -- its treebank
    bad.sentence_no,                             -- the sentence
    bad.criterion,                               -- the criterion on which errors were marked
    bad.metric,                                  -- the metric
    any_value(bad.categories) AS categories,     -- categories of the output's major and critical errors
    count(*) AS pairs,                           -- pairs that it is the worse one of
    count(*) FILTER (WHERE bad.score >= good.score)
        AS missed                                -- those in which its score is as good or better
FROM scored AS bad
JOIN scored AS good
    ON good.campaign_id = bad.campaign_id
    AND good.treebank_id = bad.treebank_id
    AND good.sentence_no = bad.sentence_no
    AND good.criterion = bad.criterion
    AND good.metric = bad.metric
WHERE len(bad.categories) > 0 AND len(good.categories) = 0
GROUP BY
    bad.submission_id, bad.campaign_id, bad.treebank_id, bad.sentence_no, bad.criterion, bad.metric;
