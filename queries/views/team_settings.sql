-- team_settings: one row per submission: the metrics as the shared tasks' teams computed them.
-- grain: submission_id
-- reads: current_scoring, submission_identity
-- group: score
CREATE OR REPLACE VIEW team_settings AS
SELECT
    identity.* EXCLUDE (params, tags),
    reference_form,                                                                  -- compared with: text or tokens
    any_value(score) FILTER (WHERE metric = 'bleu_smoothed') AS bleu_smoothed,       -- BLEU-4, method 2 on the corpus as NLTK does, 0 to 1
    any_value(score) FILTER (WHERE metric = 'nist4')         AS nist4,               -- NIST of 4-grams, in bits
    any_value(score) FILTER (WHERE metric = 'dist_pooled')   AS dist_pooled,         -- token edit distance pooled over the corpus, 0 to 1
    identity.params,
    identity.tags
FROM submission
JOIN submission_identity AS identity USING (submission_id)
JOIN current_scoring USING (submission_id)
JOIN submission_score USING (submission_id, metric, signature_id)
GROUP BY ALL;
