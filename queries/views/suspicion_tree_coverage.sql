-- suspicion_tree_coverage: one row per kind of error mining and subtree pattern: how many suspicion trees split on it.
-- grain: settings, pattern
-- reads: selected_submissions, suspicion_trees
-- group: ask why
-- Shimorina et al. 2021, Tables 5 to 7: a pattern is suspicious where a submission's tree splits on it with a score
-- above 0. Who counts of those that have a tree: macro who_counts.
CREATE OR REPLACE VIEW suspicion_tree_coverage AS
WITH counted AS (
    SELECT tree.*
    FROM suspicion_trees AS tree
    JOIN selected_submissions AS entry USING (submission_id)
    QUALIFY who_counts(entry, settings)
),
trees AS (
    SELECT settings, count(DISTINCT submission_id) AS trees
    FROM counted
    GROUP BY settings
),
split AS (
    SELECT settings, labels, metric, submission_id, pattern, max(suspicion) AS suspicion
    FROM counted
    WHERE suspicion > 0
    GROUP BY ALL
)
SELECT
    labels,                                         -- what nodes are labelled with
    metric,                                         -- the metric that tells failed from passed
    pattern,                                        -- the subtree pattern; siblings are in no order
    any_value(trees.trees) AS trees,                -- suspicion trees, one per submission
    count(*) AS suspicious_in,                      -- those that split on the pattern
    suspicious_in / any_value(trees.trees) AS coverage,  -- their share, 0 to 1
    avg(suspicion ORDER BY submission_id) AS suspicion_mean,  -- mean suspicion score where they do; the highest of a tree's nodes
    settings                                        -- all settings of the mining
FROM split
JOIN trees USING (settings)
GROUP BY settings, labels, metric, pattern;
