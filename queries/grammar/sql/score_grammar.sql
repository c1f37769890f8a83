-- score_grammar: share of its dependencies that satisfy a rule, mean over rules, of each output and of each submission.
-- Pratapa et al. 2021, section 2: a corpus score accumulates each rule's counts before the mean.
-- scored_target has a row for each submission and metric. Shares of an output are summed as
-- decimals: the sum of those does not depend on their order, and costs a sixth of an ordered one.
CREATE OR REPLACE TEMP TABLE grammar_applied AS
SELECT
    target, sentence_no, rule, kind, violated,
    if((SELECT any_value(applicable) FROM scored_target) = 'links', links, bearing) AS applicable
FROM grammar_count
JOIN rule_at_hand USING (rule)
WHERE applicable > 0;

CREATE OR REPLACE TEMP TABLE grammar_share AS
SELECT
    target, sentence_no, kind,
    count(*) AS rules,
    sum((1 - violated / applicable)::DECIMAL(18, 17)) AS satisfied
FROM grammar_applied
GROUP BY target, sentence_no, kind;

INSERT INTO sentence_score
WITH scored AS (
    SELECT
        signature_id, share.target, sentence_no,
        sum(satisfied)::DOUBLE / sum(rules) AS score
    FROM grammar_share AS share
    JOIN scored_target AS target USING (target)
    WHERE target.kind IS NULL OR target.kind = share.kind
    GROUP BY signature_id, share.target, sentence_no
)
SELECT
    target.signature_id, target.target, output.sentence_no, target.metric, scored.score,
    CASE
        WHEN scored.score IS NOT NULL THEN NULL
        WHEN NOT target.parsed THEN 'the outputs have no trees with parts of speech'
        WHEN output.text IS NULL THEN 'there is no output'
        ELSE 'no rule applies'
    END
FROM scored_target AS target
JOIN output ON output.submission_id = target.target
LEFT JOIN scored
    ON scored.signature_id = target.signature_id
    AND scored.target = output.submission_id
    AND scored.sentence_no = output.sentence_no;

INSERT INTO submission_score
WITH by_rule AS (
    SELECT target, rule, kind, 1 - sum(violated) / sum(applicable) AS satisfied
    FROM grammar_applied
    GROUP BY target, rule, kind
),
scored AS (
    SELECT signature_id, by_rule.target, avg(satisfied ORDER BY rule) AS score
    FROM by_rule
    JOIN scored_target AS target USING (target)
    WHERE target.kind IS NULL OR target.kind = by_rule.kind
    GROUP BY signature_id, by_rule.target
),
sentence AS (
    SELECT
        signature_id, share.target,
        count(DISTINCT sentence_no)::INTEGER AS sentences
    FROM grammar_share AS share
    JOIN scored_target AS target USING (target)
    WHERE target.kind IS NULL OR target.kind = share.kind
    GROUP BY signature_id, share.target
)
SELECT
    target.signature_id, target.target, target.metric, scored.score,
    coalesce(sentence.sentences, 0),
    CASE
        WHEN scored.score IS NOT NULL THEN NULL
        WHEN NOT target.parsed THEN 'the outputs have no trees with parts of speech'
        ELSE 'no rule applies'
    END
FROM scored_target AS target
LEFT JOIN scored USING (signature_id, target)
LEFT JOIN sentence USING (signature_id, target);
