-- error_spans_by_relation: one row per submission, criterion, kind of tree and relation: whether marked errors fall on it.
-- grain: submission_id, criterion, tree, deprel
-- reads: marked_units, submission_identity
-- group: people
-- In the outputs' own trees what is counted are words, marked where an error in the output overlaps them. In the
-- references' trees it is outputs, marked where they have a major or critical error, by whether the reference has the
-- relation. Words of one output, and outputs for one sentence, are not independent: p-values are of a first look.
CREATE OR REPLACE VIEW error_spans_by_relation AS
WITH whole AS (
    SELECT submission_id, criterion, tree, count(*) AS units, count(*) FILTER (WHERE marked) AS marked
    FROM marked_units
    GROUP BY submission_id, criterion, tree
),
of_relation AS (
    SELECT submission_id, criterion, tree, unnest(deprels) AS deprel, marked
    FROM marked_units
),
counted AS (
    SELECT submission_id, criterion, tree, deprel, count(*) AS units, count(*) FILTER (WHERE marked) AS marked
    FROM of_relation
    GROUP BY submission_id, criterion, tree, deprel
)
SELECT
    identity.* EXCLUDE (params, tags),
    counted.criterion,                                                 -- what was judged
    counted.tree,                                                      -- whose relations: the output's own tree, or the reference's
    counted.deprel,                                                    -- universal relation; of references those with a subtype in full too
    counted.units,                                                     -- words with it, or judged outputs whose reference has it
    counted.marked,                                                    -- those that are marked
    counted.marked / counted.units AS rate,                            -- share of them, 0 to 1
    (whole.marked - counted.marked) / nullif(whole.units - counted.units, 0)
        AS rate_elsewhere,                                             -- the same share of all others; NULL where there are none
    two_sided_p(proportions_z(
        counted.marked, counted.units, whole.marked - counted.marked, whole.units - counted.units
    )) AS p_value,                                                     -- two-sided z-test of the two shares; NULL where undefined
    identity.params,
    identity.tags
FROM counted
JOIN whole USING (submission_id, criterion, tree)
JOIN submission_identity AS identity ON identity.submission_id = counted.submission_id;
