-- challenge_by_phenomenon: one row per submission and phenomenon of challenge sets, and one for all: the share of items that pass, and what changed since the run before.
-- grain: submission_id, phenomenon
-- reads: current_scoring, submission_identity
-- group: compare and follow
-- An item is a sentence and a phenomenon. The interval is Wilson's at 95 %; the test McNemar's exact one over
-- the items of both runs, the run before being that of submission_history on the same test set.
CREATE OR REPLACE VIEW challenge_by_phenomenon AS
WITH item AS (
    SELECT submission_id, sentence_no, part AS phenomenon, statistics[1] = 1 AS passed
    FROM part_match
    SEMI JOIN (FROM current_scoring WHERE metric = 'challenge') AS newest
        USING (submission_id, signature_id)
),
run AS (
    SELECT own.submission_id, before.submission_id AS previous_submission_id
    FROM (SELECT *, previous_run(submission) AS previous FROM submission) AS own
    LEFT JOIN submission AS before
        ON before.submission_id = own.previous AND before.treebank_id = own.treebank_id
),
counted AS (
    SELECT
        own.submission_id,
        previous_submission_id,
        own.phenomenon,
        grouping(own.phenomenon) = 1 AS of_all,
        count(*) AS items,
        count(*) FILTER (WHERE own.passed) AS passed,
        count(before.passed) AS items_of_both,
        count(*) FILTER (WHERE own.passed AND NOT before.passed) AS gained,
        count(*) FILTER (WHERE NOT own.passed AND before.passed) AS lost
    FROM item AS own
    JOIN run USING (submission_id)
    LEFT JOIN item AS before
        ON before.submission_id = previous_submission_id
        AND before.sentence_no = own.sentence_no
        AND before.phenomenon = own.phenomenon
    GROUP BY GROUPING SETS (
        (own.submission_id, previous_submission_id, own.phenomenon),
        (own.submission_id, previous_submission_id)
    )
)
SELECT
    identity.* EXCLUDE (params, tags),
    counted.phenomenon,                                         -- what the items are about; NULL for all of them
    counted.items,                                              -- items
    counted.passed,                                             -- items that pass
    counted.passed / counted.items AS pass_rate,                -- the share of them, 0 to 1
    wilson(counted.passed, counted.items)[1] AS low,            -- lower end of its interval
    wilson(counted.passed, counted.items)[2] AS high,           -- upper end of its interval
    counted.previous_submission_id,                             -- the run before, on the same test set; NULL where there is none
    if(items_of_both > 0, gained, NULL) AS gained,              -- items that pass and did not then
    if(items_of_both > 0, lost, NULL) AS lost,                  -- items that passed then and do not now
    if(items_of_both > 0, mcnemar_exact(gained, lost), NULL) AS p_value, -- two-sided, not corrected for the number of phenomena
    identity.params,
    identity.tags
FROM counted
JOIN submission_identity AS identity USING (submission_id);
