-- submission_measures: one row per submission and grammar rule.
-- reads: grammar_by_rule
    SELECT
        entry.*,
        'grammar[' || rule || ']',
        'grammar rule',
        rule,
        satisfied,
        applicable,
        'higher',
        signature_id
    FROM grammar_by_rule
    JOIN entry USING (submission_id)
