-- error_spans_by_relation: one row per submission, criterion, kind of tree and relation: whether marked errors fall on it.
-- grain: submission_id, criterion, tree, deprel
-- reads: output_characters, submission_identity
-- group: people
-- In the outputs' own trees what is counted are words, marked where an error in the output overlaps them. In the
-- references' trees it is outputs, marked where they have a major or critical error, by whether the reference has the
-- relation. Words of one output, and outputs for one sentence, are not independent: p-values are of a first look.
CREATE OR REPLACE VIEW error_spans_by_relation AS
WITH judged AS (
    SELECT
        submission_id, treebank_id, sentence_no, criterion,
        flatten(list(error_spans)) AS errors
    FROM judgement
    WHERE error_spans IS NOT NULL AND kind <> 'degraded' AND submission_id IS NOT NULL
    GROUP BY ALL
),
unit AS (
    SELECT
        judged.submission_id, criterion, 'output' AS tree, [word.deprel] AS deprels,
        len(list_filter(
            errors,
            lambda span: NOT span.on_source
                AND span.start_character < word.end_character
                AND span.end_character > word.start_character
        )) > 0 AS marked
    FROM judged
    JOIN output_characters AS word USING (submission_id, sentence_no)
    WHERE word.deprel IS NOT NULL
    UNION ALL
    SELECT
        submission_id, criterion, 'reference', list_distinct(edges.deprels),
        len(list_filter(errors, lambda span: span.severity IN ('major', 'critical'))) > 0
    FROM judged
    JOIN reference_edges AS edges USING (treebank_id, sentence_no)
),
whole AS (
    SELECT submission_id, criterion, tree, count(*) AS units, count(*) FILTER (WHERE marked) AS marked
    FROM unit
    GROUP BY submission_id, criterion, tree
),
of_relation AS (
    SELECT submission_id, criterion, tree, unnest(deprels) AS deprel, marked
    FROM unit
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
    counted.deprel,                                                    -- universal relation, subtype dropped
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
