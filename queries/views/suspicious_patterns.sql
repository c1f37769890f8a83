-- suspicious_patterns: one row per submission, error mining and subtree pattern: how much it goes with failure.
-- grain: submission_id, settings, pattern
-- reads: current_analysis, submission_identity
-- group: ask why
-- listed: first
-- Shimorina et al. 2021, section 3.4. Failed are the sentences whose score is at most the mining's threshold.
CREATE OR REPLACE VIEW suspicious_patterns AS
SELECT
    identity.* EXCLUDE (params, tags),
    mining.labels,                                                    -- what nodes are labelled with
    mining.metric,                                                    -- the metric that tells failed from passed
    suspicion.pattern,                                                -- the subtree pattern; siblings are in no order
    suspicion.nodes,                                                  -- its number of nodes
    suspicion.sentences,                                              -- scored sentences that contain it
    suspicion.failed,                                                 -- those of them that failed
    suspicion.failed / suspicion.sentences AS failure_rate,           -- share of them that failed, 0 to 1
    mining.failed / mining.sentences AS base_rate,                    -- share of all scored sentences that failed, 0 to 1
    suspicion_score(
        suspicion.failed, suspicion.sentences, mining.failed, mining.sentences
    ) AS suspicion,                                                   -- suspicion score S, 0 or more
    p_value,                                                          -- one-sided exact test: does it go with failure? Fisher's; of counts of errors that people marked, the one stratified by length
    p_holm,                                                           -- the same, corrected over the patterns of the mining
    failure_rate > base_rate AND p_holm < 0.05 AS suspicious,         -- whether it goes with failure: rate above base, p_holm below 0.05
    suspicion_score(
        suspicion.failed, suspicion.sentences, mining.failed, mining.sentences
    ) > 0 AS has_suspicion,                                           -- whether S is not null: what the paper calls suspicious
    signature,                                                        -- how it was computed
    analysis.settings,                                                -- the same without scores and versions
    identity.params,
    identity.tags
FROM suspicion
JOIN error_mining AS mining USING (submission_id, signature_id)
SEMI JOIN current_analysis USING (submission_id, signature_id)
JOIN analysis USING (submission_id, signature_id)
JOIN submission_identity AS identity USING (submission_id);
