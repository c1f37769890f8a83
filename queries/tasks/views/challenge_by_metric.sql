-- challenge_by_metric: one row per contrastive challenge set, phenomenon (and one for all) and metric: how often the metric prefers the good output.
-- grain: treebank_id, challenge, phenomenon, metric
-- reads: current_scoring
-- group: compare and follow
-- Items of one template, else of equal texts, go together: the interval is Wilson's at 95 %, counts divided by the design
-- effect of templates (Rao and Scott 1992).
-- Both outputs of an item are submissions with the tags challenge and side (good, incorrect). A tie is no preference:
-- tau is (preferred - all others) / items, as in ACES (Amrhein et al. 2022).
CREATE OR REPLACE VIEW challenge_by_metric AS
WITH side AS (
    SELECT submission_id, treebank_id, tags ->> 'challenge' AS challenge, tags ->> 'side' AS side
    FROM submission
    WHERE tags ->> 'side' IN ('good', 'incorrect')
),
scored AS (
    SELECT
        side.treebank_id, side.challenge, side.side, current_scoring.metric, sentence_no,
        CASE WHEN signature.better = 'lower' THEN -score ELSE score END AS score
    FROM side
    JOIN current_scoring USING (submission_id)
    JOIN sentence_score USING (submission_id, signature_id)
    JOIN signature USING (signature_id)
    WHERE current_scoring.metric <> 'challenge'
),
judged AS (
    SELECT
        checked.treebank_id,
        checked.challenge,
        checked.phenomenon,
        good.metric,
        coalesce('template ' || template, 'text ' || text, 'sentence ' || checked.sentence_no) AS together,
        good.score > incorrect.score AS preferred,
        good.score = incorrect.score AS tied
    FROM challenge_check AS checked
    JOIN sentence USING (treebank_id, sentence_no)
    JOIN scored AS good
        ON good.treebank_id = checked.treebank_id
        AND good.challenge = checked.challenge
        AND good.sentence_no = checked.sentence_no
        AND good.side = 'good'
    JOIN scored AS incorrect
        ON incorrect.treebank_id = checked.treebank_id
        AND incorrect.challenge = checked.challenge
        AND incorrect.sentence_no = checked.sentence_no
        AND incorrect.metric = good.metric
        AND incorrect.side = 'incorrect'
    WHERE checked.kind = 'closer' AND good.score IS NOT NULL AND incorrect.score IS NOT NULL
),
of_template AS (
    SELECT
        treebank_id,
        challenge,
        phenomenon,
        grouping(phenomenon) = 1 AS of_all,
        metric,
        count(*) AS items,
        count(*) FILTER (WHERE preferred) AS preferred,
        count(*) FILTER (WHERE tied) AS tied
    FROM judged
    GROUP BY GROUPING SETS (
        (treebank_id, challenge, phenomenon, metric, together), (treebank_id, challenge, metric, together)
    )
),
counted AS (
    SELECT
        treebank_id,
        challenge,
        phenomenon,
        metric,
        sum(items)::BIGINT AS items,
        sum(preferred)::BIGINT AS preferred,
        sum(tied)::BIGINT AS tied,
        count(*) AS templates,
        design_effect(
            count(*), sum(preferred), sum(items), sum(preferred * preferred), sum(preferred * items), sum(items * items)
        ) AS design_effect
    FROM of_template
    GROUP BY treebank_id, challenge, phenomenon, of_all, metric
)
SELECT
    treebank_id,                                 -- the test set
    challenge,                                   -- the challenge set
    phenomenon,                                  -- what the items are about; NULL for all of them
    metric,                                      -- the metric
    items,                                       -- items of which both outputs have a score
    preferred,                                   -- items whose good output scores better
    tied,                                        -- items whose outputs score the same
    preferred / items AS preferred_rate,         -- share of the items whose good output scores better
    wilson(preferred / design_effect, items / design_effect)[1] AS low, -- lower end of its interval (Wilson, 95 %); NULL where all are of one template
    wilson(preferred / design_effect, items / design_effect)[2] AS high, -- upper end of its interval
    templates,                                   -- templates, else different texts, that the items are of
    (2 * preferred - items) / items AS tau       -- preferred less all others, as a share: -1 to 1
FROM counted;
