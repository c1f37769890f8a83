-- grammar_by_rule: one row per submission and grammar rule that has a link to apply to: how often it is kept.
-- grain: submission_id, rule_set_id, rule
-- reads: current_scoring, submission_identity
-- group: grammar and meaning
-- listed: first
-- Pratapa et al. 2021, section 6 and Figure 6. The chosen rule set counts.
CREATE OR REPLACE VIEW grammar_by_rule AS
WITH counted AS (
    SELECT
        rule_check.submission_id,
        signature_id,
        signature.parameters ->> '$.rules' AS rule_set_id,
        rule,
        sum(rule_applicable(signature.parameters, links, bearing)) AS applicable,
        sum(violated) AS violated
    FROM rule_check
    SEMI JOIN current_scoring USING (submission_id, signature_id)
    JOIN signature USING (signature_id)
    GROUP BY ALL
)
SELECT
    identity.* EXCLUDE (params, tags),
    rule_set_id,                                                 -- the rule set
    rule,                                                        -- the rule
    deprel,                                                      -- its relation; * stands for any letters
    dependent_upos,                                              -- part of speech of the dependent, several between slashes; *: any
    head_upos,                                                   -- part of speech of the head, several between slashes; *: any, or no head
    feature,                                                     -- its feature
    bearer,                                                      -- whose feature is prescribed; NULL where both must agree
    allowed_values,                                              -- the values allowed; NULL where both must agree
    conditions,                                                  -- what must hold of a link besides, such as head.lemma=auf; NULL: nothing
    applicable::INTEGER AS applicable,                           -- links the rule applies to
    violated::INTEGER AS violated,                               -- those of them that break it
    1 - violated / applicable AS satisfied,                      -- share of them that satisfy it, 0 to 1
    annotation,                                                  -- a linguist's view: always, sometimes or need_not
    signature_id,                                                -- how it was checked
    identity.params,
    identity.tags
FROM counted
JOIN grammar_rule USING (rule_set_id, rule)
JOIN submission_identity AS identity USING (submission_id)
WHERE applicable > 0;
