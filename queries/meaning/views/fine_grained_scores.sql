-- fine_grained_scores: one row per submission and aspect of meaning, and one per treebank, way of comparing and aspect for the upper bound.
-- grain: submission_id, treebank_id, signature_id, aspect
-- reads: current_scoring, submission_identity
-- group: grammar and meaning
-- Opitz & Frank 2021, Table 3; aspects by Damonte et al. 2017. Of submissions the chosen settings
-- count; rows of the upper bound, the parses of references, have no submission.
CREATE OR REPLACE VIEW fine_grained_scores AS
WITH matched AS (
    SELECT
        graph_match.submission_id, submission.treebank_id, graph_match.signature_id, sentence_no,
        aspect, matched, output_triples AS triples, gold_triples, status
    FROM graph_match
    SEMI JOIN (FROM current_scoring WHERE metric = 'smatch') AS current_scoring
        USING (submission_id, signature_id)
    JOIN submission USING (submission_id)
    UNION ALL
    SELECT
        NULL, treebank_id, signature_id, sentence_no,
        aspect, matched, parsed_triples, gold_triples, status
    FROM reference_graph_match
    SEMI JOIN (FROM signature WHERE metric = 'smatch') AS signature USING (signature_id)
),
summed AS (
    SELECT
        submission_id,
        treebank_id,
        signature_id,
        aspect,
        sum(matched ORDER BY sentence_no) AS matched,
        sum(triples)::BIGINT AS triples,
        sum(gold_triples)::BIGINT AS gold_triples,
        count_if(triples + gold_triples > 0)::BIGINT AS sentences,
        count_if(status NOT IN ('optimal', 'no graph'))::BIGINT AS unproved
    FROM matched
    GROUP BY ALL
)
SELECT
    identity.* EXCLUDE (params, tags) REPLACE (
        coalesce(identity.system_id, 'upper bound') AS system_id,
        summed.treebank_id AS treebank_id,
        treebank.language AS language
    ),
    signature.parameters ->> '$.parser' AS parser,                                       -- what made the graphs
    aspect,                                                                              -- all, unlabelled, no_senses, concepts, named_entities, negation, …
    graph_overlap('_precision', matched, triples, summed.gold_triples) AS precision,     -- share of the graphs' triples, or labels, that match
    graph_overlap('_recall', matched, triples, summed.gold_triples) AS recall,           -- share of the gold graphs'
    graph_overlap('', matched, triples, summed.gold_triples) AS f1,                      -- their harmonic mean; NULL where neither has any
    matched,                                                                             -- triples, or labels, that match
    triples,                                                                             -- those of the graphs
    gold_triples,                                                                        -- those of the gold graphs
    summed.sentences,                                                                    -- sentences in which there are some
    unproved,                                                                            -- alignments that are not proved to be the best
    CASE WHEN triples + gold_triples = 0 THEN 'no graph has this aspect' END AS undefined_reason, -- why there is no F1
    signature_id,                                                                        -- how it was computed
    identity.params,
    identity.tags
FROM summed
JOIN signature USING (signature_id)
LEFT JOIN submission_identity AS identity USING (submission_id)
JOIN treebank ON treebank.treebank_id = summed.treebank_id
ORDER BY summed.treebank_id, signature_id, aspect, system_id, summed.submission_id;
