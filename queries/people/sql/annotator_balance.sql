-- annotator_balance: one row per treebank in which pairs of systems share few annotators: how many pairs, and the least share.
-- $criterion: what was judged. $annotators: whose judgements count, all or passing. $balanced: less than this share is few.
-- grain: treebank_id
WITH counted AS (
    SELECT treebank_id, submission_id, annotator_id, count(*) AS judgements
    FROM standardised_judgement
    WHERE criterion = $criterion AND ($annotators = 'all' OR passed)
    GROUP BY ALL
),
shares AS (
    SELECT
        * EXCLUDE (judgements),
        judgements / sum(judgements) OVER (PARTITION BY treebank_id, submission_id) AS part
    FROM counted
),
system_pairs AS (
    SELECT
        one.treebank_id, one.submission_id, other.submission_id AS other_submission_id,
        coalesce(sum(least(one.part, other.part)) FILTER (one.annotator_id = other.annotator_id), 0) AS share
    FROM shares AS one
    JOIN shares AS other
        ON other.treebank_id = one.treebank_id AND other.submission_id > one.submission_id
    GROUP BY ALL
)
SELECT
    treebank_id,
    count(*) AS pairs,
    count(*) FILTER (share = 0) AS without,
    count(*) FILTER (share > 0 AND share < $balanced) AS partly,
    min(share) FILTER (share > 0) AS least
FROM system_pairs
GROUP BY treebank_id
HAVING min(share) < $balanced
ORDER BY treebank_id;
