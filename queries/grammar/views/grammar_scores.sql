-- grammar_scores: one row per submission scored by grammar rules: how well-formed its outputs are.
-- grain: submission_id
-- reads: current_scoring, submission_identity
-- group: grammar and meaning
-- Pratapa et al. 2021, section 2. The chosen rule set counts.
CREATE OR REPLACE VIEW grammar_scores AS
WITH score AS (
    SELECT
        submission_id,
        any_value(signature_id) FILTER (WHERE metric = 'grammar') AS signature_id,
        any_value(score) FILTER (WHERE metric = 'grammar') AS grammar,
        any_value(score) FILTER (WHERE metric = 'grammar_agreement') AS grammar_agreement,
        any_value(score) FILTER (WHERE metric = 'grammar_argument') AS grammar_argument,
        any_value(sentences) FILTER (WHERE metric = 'grammar') AS sentences,
        any_value(undefined_reason) FILTER (WHERE metric = 'grammar') AS undefined_reason
    FROM current_scoring
    JOIN submission_score USING (submission_id, metric, signature_id)
    GROUP BY submission_id
),
how AS (
    SELECT signature_id, signature, parameters ->> '$.rules' AS rule_set_id
    FROM signature
)
SELECT
    identity.* EXCLUDE (params, tags),
    how.rule_set_id,                                        -- the rule set
    score.grammar,                                          -- mean over rules of the share of links that keep them, 0 to 1
    score.grammar_agreement,                                -- the same of agreement rules alone
    score.grammar_argument,                                 -- the same of argument structure rules alone
    score.sentences,                                        -- sentences to which some rule applies
    1 - score.sentences / treebank.sentences AS untouched,  -- share of the sentences to which no rule applies, 0 to 1
    score.undefined_reason,                                 -- why there is no score
    how.signature,                                          -- how it was computed
    identity.params,
    identity.tags
FROM score
JOIN how USING (signature_id)
JOIN submission_identity AS identity USING (submission_id)
JOIN treebank USING (treebank_id);
