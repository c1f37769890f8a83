-- challenge_by_phenomenon: one row per submission and phenomenon of challenge sets, and one for all: the share of items that pass, and what changed since the run before.
-- grain: submission_id, phenomenon
-- reads: current_scoring, submission_identity
-- group: compare and follow
-- An item is a sentence and a phenomenon. Items of one template, else of equal texts, pass and fail together: the interval is
-- Wilson's at 95 %, counts divided by the design effect of templates (Rao and Scott 1992); the test is the exact one of
-- sign flips over templates, McNemar's where each item has its own, over the items of both runs, the run before being
-- that of submission_history on the same test set.
CREATE OR REPLACE VIEW challenge_by_phenomenon AS
WITH item AS (
    SELECT
        submission_id, sentence_no, part AS phenomenon, statistics[1] = 1 AS passed,
        coalesce('template ' || template, 'text ' || text, 'sentence ' || sentence_no) AS together
    FROM part_match
    JOIN submission USING (submission_id)
    JOIN sentence USING (treebank_id, sentence_no)
    LEFT JOIN (
        SELECT treebank_id, sentence_no, phenomenon AS part, min(template) AS template
        FROM challenge_check
        GROUP BY treebank_id, sentence_no, phenomenon
    ) AS checked USING (treebank_id, sentence_no, part)
    SEMI JOIN (FROM current_scoring WHERE metric = 'challenge') AS newest
        USING (submission_id, signature_id)
),
run AS (
    SELECT own.submission_id, before.submission_id AS base_submission_id
    FROM (SELECT *, previous_run(submission) AS previous FROM submission) AS own
    LEFT JOIN submission AS before
        ON before.submission_id = own.previous AND before.treebank_id = own.treebank_id
),
of_template AS (
    SELECT
        own.submission_id,
        base_submission_id,
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
        ON before.submission_id = base_submission_id
        AND before.sentence_no = own.sentence_no
        AND before.phenomenon = own.phenomenon
    GROUP BY GROUPING SETS (
        (own.submission_id, base_submission_id, own.phenomenon, own.together),
        (own.submission_id, base_submission_id, own.together)
    )
),
summed AS (
    SELECT
        submission_id,
        base_submission_id,
        phenomenon,
        sum(items)::BIGINT AS items,
        sum(passed)::BIGINT AS passed,
        count(*) AS templates,
        sum(items_of_both) AS items_of_both,
        sum(gained)::BIGINT AS gained,
        sum(lost)::BIGINT AS lost,
        list(gained - lost) FILTER (WHERE gained <> lost) AS differences,
        sum(items * items) AS items_squared,
        sum(passed * passed) AS passed_squared,
        sum(passed * items) AS passed_times_items
    FROM of_template
    GROUP BY submission_id, base_submission_id, phenomenon, of_all
),
counted AS (
    SELECT
        *,
        design_effect(templates, passed, items, passed_squared, passed_times_items, items_squared) AS design_effect
    FROM summed
)
SELECT
    identity.* EXCLUDE (params, tags),
    counted.phenomenon,                                         -- what the items are about; NULL for all of them
    counted.items,                                              -- items
    counted.passed,                                             -- items that pass
    counted.passed / counted.items AS pass_rate,                -- the share of them, 0 to 1
    wilson(counted.passed / design_effect, counted.items / design_effect)[1] AS low, -- lower end of its interval; NULL where all are of one template
    wilson(counted.passed / design_effect, counted.items / design_effect)[2] AS high, -- upper end of its interval
    counted.templates,                                          -- templates, else different texts, that the items are of
    counted.base_submission_id,                                 -- the run before, on the same test set; NULL where there is none
    CASE WHEN items_of_both > 0 THEN counted.gained END AS gained,      -- items that pass and did not then
    CASE WHEN items_of_both > 0 THEN counted.lost END AS lost,          -- items that passed then and do not now
    CASE WHEN items_of_both > 0 THEN sign_flip_exact(coalesce(differences, [])) END AS p_value, -- two-sided, not corrected for the number of phenomena
    counted.base_submission_id AS previous_submission_id,       -- deprecated: base_submission_id
    identity.params,
    identity.tags
FROM counted
JOIN submission_identity AS identity USING (submission_id);
