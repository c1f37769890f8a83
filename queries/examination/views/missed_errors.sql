-- missed_errors: one row per campaign, treebank, criterion, metric and what errors are looked at by: how often a metric misses them.
-- grain: campaign_id, treebank_id, criterion, metric, about, value
-- reads: missed_pairs, sentence_relations
-- group: people
-- Two outputs for a sentence are a pair where one has a major or critical error and the other has none. The metric misses the
-- error where it gives the first a score as good or better. By relations of the reference's tree, by categories of the
-- first output's errors, and over all.
CREATE OR REPLACE VIEW missed_errors AS
WITH sentence_missed AS (
    SELECT
        campaign_id, treebank_id, sentence_no, criterion, metric,
        sum(pairs)::BIGINT AS pairs, sum(missed)::BIGINT AS missed
    FROM missed_pairs
    GROUP BY ALL
),
relation AS (
    SELECT treebank_id, sentence_no, unnest(deprels) AS deprel
    FROM sentence_relations
),
category AS (
    SELECT missed_pairs.* EXCLUDE (categories), unnest(categories) AS category
    FROM missed_pairs
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
    counted.value,                               -- the relation in the reference (acl, and acl:relcl), the category of the error, or all
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
