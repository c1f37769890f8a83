-- score_meaning: what the graph of each output, and of a whole submission, shares with the gold graph.
-- Opitz & Frank 2021, section 3.2; Cai & Knight 2013. Corpus scores are those of sums (micro average).
-- scored_target has a row for each metric, with the signature that the matches are stored under.
INSERT INTO sentence_score
WITH scored AS (
    SELECT
        target.signature_id, target.target, target.metric, output.sentence_no,
        graph_overlap(target.metric, matched, output_triples, gold_triples) AS score,
        matched IS NULL AS is_left_out,
        gold_graph.sentence_no IS NULL AS without_gold
    FROM scored_target AS target
    JOIN output ON output.submission_id = target.target
    JOIN submission ON submission.submission_id = target.target
    LEFT JOIN gold_graph
        ON gold_graph.treebank_id = submission.treebank_id
        AND gold_graph.sentence_no = output.sentence_no
        AND gold_graph.penman IS NOT NULL
    LEFT JOIN graph_match
        ON graph_match.signature_id = target.matches_id
        AND graph_match.submission_id = target.target
        AND graph_match.sentence_no = output.sentence_no
        AND aspect = 'all'
)
SELECT
    signature_id, target, sentence_no, metric, score,
    CASE
        WHEN score IS NOT NULL THEN NULL
        WHEN without_gold THEN 'there is no gold graph'
        WHEN is_left_out THEN 'left out: a parse of its outputs has too low a quality'
        WHEN metric = 'smatch_precision' THEN 'the output has no graph'
        ELSE 'the gold graph is empty'
    END
FROM scored;

INSERT INTO submission_score
WITH summed AS (
    SELECT
        target.signature_id, target.target, target.metric,
        graph_overlap(
            target.metric,
            sum(matched ORDER BY sentence_no), sum(output_triples), sum(gold_triples)
        ) AS score,
        count(graph_match.sentence_no) AS sentences
    FROM scored_target AS target
    LEFT JOIN graph_match
        ON graph_match.signature_id = target.matches_id
        AND graph_match.submission_id = target.target
        AND aspect = 'all'
    GROUP BY target.signature_id, target.target, target.metric
)
SELECT
    signature_id, target, metric, score, sentences,
    CASE
        WHEN score IS NOT NULL THEN NULL
        WHEN sentences = 0 THEN 'all sentences are left out'
        WHEN metric = 'smatch_precision' THEN 'no output has a graph'
        ELSE 'the gold graphs are empty'
    END
FROM summed;
