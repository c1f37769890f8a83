-- pattern_coverage: one row per kind of error mining and subtree pattern: over how many submissions that count it is suspicious.
-- grain: settings, pattern
-- reads: current_analysis, selected_submissions, suspicious_patterns
-- group: ask why
-- Shimorina et al. 2021, Tables 5 to 7. Suspicious is what fails more often than the base rate with p_holm below
-- 0.05. Who counts of those whose treebank has patterns: macro who_counts.
CREATE OR REPLACE VIEW pattern_coverage AS
WITH counted AS (
    SELECT submission_id, settings
    FROM error_mining
    SEMI JOIN current_analysis USING (submission_id, signature_id)
    SEMI JOIN suspicion USING (submission_id, signature_id)
    JOIN analysis USING (submission_id, signature_id)
    JOIN selected_submissions AS entry USING (submission_id)
    QUALIFY who_counts(entry, settings)
),
mined AS (
    SELECT settings, count(*) AS submissions
    FROM counted
    GROUP BY settings
)
SELECT
    labels,                                                           -- what nodes are labelled with
    metric,                                                           -- the metric that tells failed from passed
    pattern,                                                          -- the subtree pattern; siblings are in no order
    nodes,                                                            -- its number of nodes
    count(*) AS submissions,                                          -- submissions it was mined in: their treebank has it often enough
    count(*) FILTER (WHERE suspicious) AS suspicious_in,              -- those of them where it is suspicious
    suspicious_in / any_value(mined.submissions) AS coverage,         -- share of all mined submissions where it is, 0 to 1
    avg(suspicion ORDER BY submission_id) FILTER (WHERE suspicious)
        AS suspicion_mean,                                            -- mean suspicion score where it is suspicious
    median(suspicion) FILTER (WHERE suspicious) AS suspicion_median,  -- median suspicion score where it is suspicious
    count(*) FILTER (WHERE failure_rate > base_rate) / any_value(mined.submissions)
        AS coverage_above_base,                                       -- share of all mined submissions where it fails more often than the base rate, be it by chance
    count(*) FILTER (WHERE has_suspicion) / any_value(mined.submissions)
        AS coverage_of_score,                                         -- share of all mined submissions where its score is not null: the paper's coverage
    sum(sentences)::BIGINT AS sentences,                              -- their sentences that contain it
    sum(failed)::BIGINT AS failed,                                    -- those of them that failed
    settings                                                          -- all settings of the mining
FROM suspicious_patterns
SEMI JOIN counted USING (submission_id, settings)
JOIN mined USING (settings)
GROUP BY settings, labels, metric, pattern, nodes;
