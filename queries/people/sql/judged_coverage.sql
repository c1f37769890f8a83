-- judged_coverage: one row per treebank whose systems were judged on different sentences: how many, and what the shared ones say.
-- $criterion: what was judged. $annotators: whose judgements count, all or passing. $ranked_by: z or raw.
-- grain: treebank_id
WITH output AS (
    SELECT treebank_id, submission_id, sentence_no, avg(if($ranked_by = 'raw', raw_score, z_score)) AS score
    FROM standardised_judgement
    WHERE criterion = $criterion AND ($annotators = 'all' OR passed)
    GROUP BY ALL
),
treebank_systems AS (
    SELECT treebank_id, count(DISTINCT submission_id) AS systems, count(DISTINCT sentence_no) AS sentences
    FROM output
    GROUP BY treebank_id
),
shared AS (
    SELECT treebank_id, sentence_no
    FROM output
    JOIN treebank_systems USING (treebank_id)
    GROUP BY treebank_id, sentence_no, systems
    HAVING count(*) = systems
),
system_means AS (
    SELECT
        treebank_id,
        submission_id,
        count(*) AS judged,
        avg(score) AS score,
        avg(score) FILTER ((treebank_id, sentence_no) IN (SELECT (treebank_id, sentence_no) FROM shared)) AS shared_score
    FROM output
    GROUP BY ALL
)
SELECT
    treebank_id,
    any_value(systems) AS systems,
    min(judged) AS fewest,
    max(judged) AS most,
    coalesce(any_value(shared_by_all.sentences), 0) AS shared,
    list(submission_id ORDER BY score DESC NULLS LAST, submission_id) AS ranking,
    list(submission_id ORDER BY shared_score DESC NULLS LAST, submission_id) AS shared_ranking
FROM treebank_systems
JOIN system_means USING (treebank_id)
LEFT JOIN (SELECT treebank_id, count(*) AS sentences FROM shared GROUP BY treebank_id) AS shared_by_all
    USING (treebank_id)
GROUP BY treebank_id
HAVING any_value(systems) > 1
    AND coalesce(any_value(shared_by_all.sentences), 0) < any_value(treebank_systems.sentences)
ORDER BY treebank_id;
