-- pattern_failures: one row per pattern of base's newest minings: the sentences that fail by each submission.
-- A sentence fails where its score is at most the threshold of base's mining, by either submission;
-- where lower scores are better ($direction is -1), at least. Lent are scored_pair, what scored_pairs reads of $metric,
-- and sentence_cluster: which sentences belong together.
-- moved has a number for each cluster of sentences that is not the same: how many more fail by new than by base.
WITH mining AS (
    SELECT labels, threshold, signature_id
    FROM error_mining
    JOIN current_analysis USING (submission_id, signature_id)
    WHERE submission_id = $base AND metric = $metric AND undefined_reason IS NULL
    QUALIFY row_number() OVER (PARTITION BY labels ORDER BY current_analysis.revision DESC, signature_id) = 1
),
failure AS (
    SELECT
        labels,
        new_no AS sentence_no,
        $direction * new_score <= $direction * threshold AS failed_new,
        $direction * base_score <= $direction * threshold AS failed_base
    FROM mining
    CROSS JOIN scored_pair
),
total AS (
    SELECT
        labels,
        count(*) AS sentences,
        count_if(failed_new) AS failed_new,
        count_if(failed_base) AS failed_base
    FROM failure
    GROUP BY labels
),
occurrence AS (
    SELECT labels, pattern, subtree.nodes, unnest(sentence_nos) AS sentence_no
    FROM subtree
    JOIN mining USING (labels)
    JOIN suspicion USING (pattern, signature_id)
    WHERE suspicion.submission_id = $base
        AND treebank_id = (SELECT treebank_id FROM submission WHERE submission_id = $base)
),
cluster_failure AS (
    SELECT
        labels,
        pattern,
        nodes,
        count(*) AS sentences,
        count_if(failed_new) AS failed_new,
        count_if(failed_base) AS failed_base,
        count_if(failed_new) - count_if(failed_base) AS moved
    FROM occurrence
    JOIN failure USING (labels, sentence_no)
    JOIN sentence_cluster USING (sentence_no)
    GROUP BY labels, pattern, nodes, cluster
),
pattern_failure AS (
    SELECT
        labels,
        pattern,
        nodes,
        sum(sentences)::BIGINT AS sentences,
        sum(failed_new)::BIGINT AS failed_new,
        sum(failed_base)::BIGINT AS failed_base,
        list(moved) FILTER (WHERE moved <> 0) AS moved
    FROM cluster_failure
    GROUP BY labels, pattern, nodes
)
SELECT
    labels,
    pattern,
    found.sentences,
    found.failed_new,
    found.failed_base,
    moved,
    suspicion_score(found.failed_new, found.sentences, total.failed_new, total.sentences) AS new,
    suspicion_score(found.failed_base, found.sentences, total.failed_base, total.sentences) AS base
FROM pattern_failure AS found
JOIN total USING (labels)
ORDER BY labels, nodes, pattern;
