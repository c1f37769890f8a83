-- meaning_by_parser: one row per submission, measure of meaning, parser and bound of quality: what the graphs of its outputs share with the gold graphs.
-- grain: submission_id, metric, parser, quality
-- reads: current_scoring, passed_over_signature, submission_identity
-- group: grammar and meaning
-- Opitz & Frank 2021, section 5.1 and Table 4. Of each parser and bound the chosen settings count, else the newest.
CREATE OR REPLACE VIEW meaning_by_parser AS
WITH scored AS (
    SELECT
        target AS submission_id,
        metric,
        signature.parameters ->> '$.parser' AS parser,
        (signature.parameters ->> '$.quality')::DOUBLE AS quality,
        arg_max(signature_id, (passed_over.signature_id IS NULL, scoring.revision)) AS signature_id
    FROM scoring
    JOIN signature USING (signature_id, metric)
    LEFT JOIN passed_over_signature AS passed_over USING (signature_id)
    WHERE metric IN ('smatch', 's2match')
    GROUP BY ALL
),
bound AS (
    SELECT
        scored.signature_id,
        reference.treebank_id,
        reference.sentence_no,
        reference.matched,
        reference.parsed_triples,
        reference.gold_triples
    FROM (SELECT DISTINCT signature_id FROM scored) AS scored
    JOIN signature USING (signature_id)
    JOIN signature AS whole
        ON whole.signature
            = regexp_replace(signature.signature, '\|(quality|left-out):[^|]*', '', 'g')
    JOIN reference_graph_match AS reference
        ON reference.signature_id = whole.signature_id AND reference.aspect = 'all'
),
summed AS (
    SELECT
        scored.submission_id,
        scored.signature_id,
        count(*) AS sentences,
        sum(graph_match.matched ORDER BY graph_match.sentence_no) AS matched,
        sum(output_triples) AS output_triples,
        sum(graph_match.gold_triples) AS gold_triples,
        count_if(status = 'no graph')::BIGINT AS without_graph,
        count_if(status NOT IN ('optimal', 'no graph'))::BIGINT AS unproved,
        sum(gap ORDER BY graph_match.sentence_no) AS gap,
        count(output_graph.flag) FILTER (WHERE penman IS NOT NULL) AS flagged,
        avg(form.score ORDER BY graph_match.sentence_no) AS form,
        sum(bound.matched ORDER BY graph_match.sentence_no) AS bound_matched,
        sum(bound.parsed_triples) AS bound_triples,
        sum(bound.gold_triples) AS bound_gold_triples
    FROM scored
    JOIN submission USING (submission_id)
    JOIN graph_match
        ON graph_match.submission_id = scored.submission_id
        AND graph_match.signature_id = scored.signature_id
        AND graph_match.aspect = 'all'
    LEFT JOIN output_graph
        ON output_graph.submission_id = scored.submission_id
        AND output_graph.parser = scored.parser
        AND output_graph.sentence_no = graph_match.sentence_no
    LEFT JOIN current_scoring AS form_scoring
        ON form_scoring.submission_id = scored.submission_id AND form_scoring.metric = 'form'
    LEFT JOIN sentence_score AS form
        ON form.signature_id = form_scoring.signature_id
        AND form.submission_id = scored.submission_id
        AND form.sentence_no = graph_match.sentence_no
    LEFT JOIN bound
        ON bound.signature_id = scored.signature_id
        AND bound.treebank_id = submission.treebank_id
        AND bound.sentence_no = graph_match.sentence_no
    GROUP BY ALL
),
score AS (
    SELECT
        *,
        graph_overlap('_precision', matched, output_triples, gold_triples) AS precision,
        graph_overlap('_recall', matched, output_triples, gold_triples) AS recall,
        graph_overlap('', matched, output_triples, gold_triples) AS f1
    FROM summed
)
SELECT
    identity.* EXCLUDE (params, tags),
    scored.metric,                                                      -- smatch or s2match
    scored.parser,                                                      -- what made the graphs of the outputs
    scored.quality,                                                     -- lowest estimated quality of a parse; NULL where all count
    score.precision,                                                    -- share of the triples of the outputs' graphs that match, 0 to 1
    score.recall,                                                       -- share of the gold graphs' triples that match
    score.f1,                                                           -- their harmonic mean: Meaning; NULL where there is no triple
    graph_overlap('_precision', bound_matched, bound_triples, bound_gold_triples)
        AS upper_precision,                                             -- precision of the parses of the references, over the same sentences
    graph_overlap('_recall', bound_matched, bound_triples, bound_gold_triples)
        AS upper_recall,                                                -- their recall
    graph_overlap('', bound_matched, bound_triples, bound_gold_triples)
        AS upper_bound,                                                 -- their F1
    score.form,                                                         -- share of these outputs that are well formed, by the chosen form
    mf(score.f1, score.form, 1) AS mf_1,                                -- MF-score, Meaning and Form counting alike
    mf(score.f1, score.form, 0.5) AS mf_05,                             -- MF-score with beta 0.5: Meaning counts more
    rank() OVER (
        PARTITION BY identity.campaign_id, scored.signature_id
        ORDER BY round(score.f1, 12) DESC NULLS LAST
    ) AS rank,                                                          -- place by F1 among those that are comparable
    CASE WHEN score.form IS NOT NULL THEN rank() OVER (
        PARTITION BY identity.campaign_id, scored.signature_id
        ORDER BY round(mf(score.f1, score.form, 0.5), 12) DESC NULLS LAST
    ) END AS mf_05_rank,                                                -- place by MF-score with beta 0.5
    coalesce(score.sentences, 0) AS sentences,                          -- sentences compared
    score.without_graph,                                                -- those of them whose output has no graph: they count against recall
    score.flagged,                                                      -- graphs of outputs with something unusual
    score.unproved,                                                     -- alignments that are not proved to be the best
    score.gap,                                                          -- triples that better alignments might match besides, at most
    scored.signature_id,                                                -- short hash of the signature
    signature.signature,                                                -- how it was computed
    identity.params,
    identity.tags
FROM scored
JOIN signature USING (signature_id)
JOIN submission_identity AS identity USING (submission_id)
LEFT JOIN score USING (submission_id, signature_id)
ORDER BY identity.campaign_id, identity.treebank_id, scored.metric, scored.parser, scored.quality NULLS FIRST,
    score.f1 DESC NULLS LAST, submission_id;
