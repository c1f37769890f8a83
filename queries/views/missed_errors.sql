-- missed_errors: one row per campaign, treebank, criterion, metric and what errors are looked at by: how often a metric misses them.
-- grain: campaign_id, treebank_id, criterion, metric, about, value
-- reads: current_scoring
-- group: people
-- Two outputs for a sentence are a pair where one has a major or critical error and the other has none. The metric misses the
-- error where it gives the first a score as good or better. By relations of the reference's tree, by categories of the
-- first output's errors, and over all.
CREATE OR REPLACE VIEW missed_errors AS
WITH judged AS (
    SELECT
        submission_id, sentence_no, criterion,
        list_distinct(flatten(list(list_transform(
            list_filter(error_spans, lambda span: span.severity IN ('major', 'critical')),
            lambda span: coalesce(span.category, 'uncategorised')
        )))) AS categories
    FROM judgement
    WHERE error_spans IS NOT NULL AND kind <> 'degraded' AND submission_id IS NOT NULL
    GROUP BY ALL
),
direction AS (
    SELECT metric, any_value(better) AS better
    FROM signature
    GROUP BY metric
),
scored AS (
    SELECT
        submission.campaign_id, submission.treebank_id, judged.submission_id, judged.sentence_no, criterion,
        categories, sentence_score.metric,
        if(direction.better = 'lower', -score, score) AS score
    FROM judged
    JOIN submission USING (submission_id)
    JOIN sentence_score
        ON sentence_score.submission_id = judged.submission_id
        AND sentence_score.sentence_no = judged.sentence_no
    JOIN direction ON direction.metric = sentence_score.metric
    SEMI JOIN current_scoring
        ON current_scoring.submission_id = sentence_score.submission_id
        AND current_scoring.metric = sentence_score.metric
        AND current_scoring.signature_id = sentence_score.signature_id
    WHERE score IS NOT NULL
),
output_missed AS (
    SELECT
        bad.campaign_id, bad.treebank_id, bad.sentence_no, bad.criterion, bad.metric,
        any_value(bad.categories) AS categories,
        count(*) AS pairs,
        count(*) FILTER (WHERE bad.score >= good.score) AS missed
    FROM scored AS bad
    JOIN scored AS good
        ON good.campaign_id = bad.campaign_id
        AND good.treebank_id = bad.treebank_id
        AND good.sentence_no = bad.sentence_no
        AND good.criterion = bad.criterion
        AND good.metric = bad.metric
    WHERE len(bad.categories) > 0 AND len(good.categories) = 0
    GROUP BY
        bad.campaign_id, bad.treebank_id, bad.sentence_no, bad.criterion, bad.metric, bad.submission_id
),
sentence_missed AS (
    SELECT
        campaign_id, treebank_id, sentence_no, criterion, metric,
        sum(pairs)::BIGINT AS pairs, sum(missed)::BIGINT AS missed
    FROM output_missed
    GROUP BY ALL
),
relation AS (
    SELECT treebank_id, sentence_no, unnest(list_distinct(deprels)) AS deprel
    FROM reference_edges
),
category AS (
    SELECT * EXCLUDE (categories), unnest(categories) AS category
    FROM output_missed
),
counted AS (
    SELECT
        campaign_id, treebank_id, criterion, metric, 'all' AS about, 'all' AS value,
        count(*) AS sentences, sum(pairs)::BIGINT AS pairs, sum(missed)::BIGINT AS missed
    FROM sentence_missed
    GROUP BY ALL
    UNION ALL
    SELECT
        campaign_id, treebank_id, criterion, metric, 'relation', deprel,
        count(*), sum(pairs)::BIGINT, sum(missed)::BIGINT
    FROM sentence_missed
    JOIN relation USING (treebank_id, sentence_no)
    GROUP BY ALL
    UNION ALL
    SELECT
        campaign_id, treebank_id, criterion, metric, 'category', category,
        count(DISTINCT sentence_no), sum(pairs)::BIGINT, sum(missed)::BIGINT
    FROM category
    GROUP BY ALL
)
SELECT
    counted.campaign_id,                         -- the campaign
    counted.treebank_id,                         -- the treebank
    counted.criterion,                           -- the criterion on which errors were marked
    counted.metric,                              -- the metric
    counted.about,                               -- what errors are looked at by: relation, category, or all
    counted.value,                               -- the relation in the reference, the category of the error, or all
    counted.sentences,                           -- sentences with such a pair
    counted.pairs,                               -- pairs of an output with a major error and one without
    counted.missed,                              -- those in which the metric gives the first a score as good or better
    counted.missed / counted.pairs AS miss_rate,  -- share of them, 0 to 1; one half by chance
    (whole.missed - counted.missed) / nullif(whole.pairs - counted.pairs, 0)
        AS rate_elsewhere                        -- the same share of all other pairs; NULL where there are none
FROM counted
JOIN counted AS whole
    ON whole.campaign_id = counted.campaign_id
    AND whole.treebank_id = counted.treebank_id
    AND whole.criterion = counted.criterion
    AND whole.metric = counted.metric
    AND whole.about = 'all';
