-- mf_scores: one row per submission with an MF-score: its Meaning, its Form, and both, beside metrics of text.
-- grain: submission_id
-- reads: current_scoring, submission_identity, submission_metrics
-- group: grammar and meaning
-- Opitz & Frank 2021, Table 1. The chosen settings count. mf(meaning, form, beta) gives any other
-- weight; Meaning and Form are of the same sentences.
CREATE OR REPLACE VIEW mf_scores AS
WITH summed AS (
    SELECT
        submission_id,
        signature_id,
        [
            sum(statistics[1] ORDER BY sentence_no),
            sum(statistics[2]), sum(statistics[3]), sum(statistics[4]), sum(statistics[5])
        ] AS sums,
        count_if(statistics[3] > 0)::BIGINT AS sentences
    FROM statistic_match
    SEMI JOIN (FROM current_scoring WHERE metric = 'mf_1') AS current_scoring
        USING (submission_id, signature_id)
    GROUP BY ALL
),
score AS (
    SELECT
        submission_id,
        signature_id,
        sentences,
        graph_overlap('_precision', sums[1], sums[2], sums[3]) AS precision,
        graph_overlap('_recall', sums[1], sums[2], sums[3]) AS recall,
        graph_overlap('', sums[1], sums[2], sums[3]) AS meaning,
        sums[4] / nullif(sums[5], 0) AS form
    FROM summed
),
text AS (
    SELECT
        submission_id,
        any_value(score) FILTER (WHERE metric = '{metric}') AS {metric},
    FROM submission_metrics
    GROUP BY submission_id
)
SELECT
    identity.* EXCLUDE (params, tags),
    text.{metric},  -- {comment}
    signature.parameters ->> '$.meaning' AS measure,                 -- measure of meaning: s2match or smatch
    signature.parameters ->> '$.parser' AS parser,                   -- what made the graphs of the outputs
    signature.parameters ->> '$.model' AS model,                     -- the language model of the form
    score.precision,                                                 -- share of the triples of the outputs' graphs that match, 0 to 1
    score.recall,                                                    -- share of the gold graphs' triples that match
    score.meaning,                                                   -- their harmonic mean
    score.form,                                                      -- share of outputs that are well formed, 0 to 1
    mf(score.meaning, score.form, 1) AS mf_1,                        -- MF-score: both count alike
    mf(score.meaning, score.form, 0.5) AS mf_05,                     -- MF-score with beta 0.5: Meaning counts more
    rank() OVER (
        PARTITION BY identity.campaign_id, signature_id ORDER BY round(score.meaning, 12) DESC NULLS LAST
    ) AS meaning_rank,                                               -- place by Meaning among those that are comparable
    rank() OVER (
        PARTITION BY identity.campaign_id, signature_id ORDER BY round(score.form, 12) DESC NULLS LAST
    ) AS form_rank,                                                  -- place by Form
    rank() OVER (
        PARTITION BY identity.campaign_id, signature_id
        ORDER BY round(mf(score.meaning, score.form, 1), 12) DESC NULLS LAST
    ) AS mf_1_rank,                                                  -- place by MF-score
    rank() OVER (
        PARTITION BY identity.campaign_id, signature_id
        ORDER BY round(mf(score.meaning, score.form, 0.5), 12) DESC NULLS LAST
    ) AS mf_05_rank,                                                 -- place by MF-score with beta 0.5
    score.sentences,                                                 -- sentences it rests on
    signature.signature,                                             -- how it was computed
    identity.params,
    identity.tags
FROM score
JOIN signature USING (signature_id)
JOIN submission_identity AS identity USING (submission_id)
LEFT JOIN text USING (submission_id)
ORDER BY identity.campaign_id, identity.treebank_id, mf_1 DESC NULLS LAST, submission_id;
