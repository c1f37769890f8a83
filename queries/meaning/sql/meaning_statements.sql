-- meaning_pairs: one row per sentence of a submission that is not left out: its number, the graph of the output and the gold graph.
SELECT sentence_no, parsed.penman, gold_graph.penman
FROM output_graph AS parsed
JOIN submission USING (submission_id)
JOIN gold_graph USING (treebank_id, sentence_no)
WHERE submission_id = $submission_id AND parser = $parser
    AND gold_graph.penman IS NOT NULL
    AND NOT list_contains($left_out::INTEGER[], sentence_no)
ORDER BY sentence_no;

-- meaning_reference_pairs: one row per reference sentence: its number, the graph a parser makes of it and the gold graph.
SELECT sentence_no, parsed.penman, gold_graph.penman
FROM reference_graph AS parsed
JOIN gold_graph USING (treebank_id, sentence_no)
WHERE treebank_id = $treebank_id AND parser = $parser AND gold_graph.penman IS NOT NULL
ORDER BY sentence_no;

-- graph_of_sentence: one row: whether the graph of an output was compared.
SELECT EXISTS (
    FROM graph_match
    WHERE submission_id = $submission AND sentence_no = $sentence_no
) AS has_graph;

-- mf_and_bounds: one row per submission with an MF-score, and one per treebank for the upper bound: its Meaning and Form, 0 to 1.
-- The bound is what the parses of the references reach (Opitz & Frank 2021, section 4.1), with a Form of 1.
WITH scored AS (
    SELECT submission_id, treebank_id, measure, parser, precision, recall, meaning, form, sentences
    FROM mf_scores
    WHERE list_contains($submissions, submission_id)
),
bound AS (
    SELECT DISTINCT ON (scored.treebank_id, measure, scored.parser)
        'upper bound of ' || scored.treebank_id AS submission_id,
        scored.treebank_id,
        measure,
        scored.parser,
        upper_precision AS precision,
        upper_recall AS recall,
        upper_bound AS meaning,
        1 AS form,
        scores.sentences
    FROM scored
    JOIN meaning_scores AS scores
        ON scores.submission_id = scored.submission_id
        AND scores.metric = scored.measure
        AND scores.parser = scored.parser
    WHERE upper_bound IS NOT NULL
    ORDER BY scored.treebank_id, measure, scored.parser, scored.submission_id
)
SELECT *, false AS is_bound FROM scored
UNION ALL
SELECT *, true FROM bound;
