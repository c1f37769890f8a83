-- meaning_scores: one row per submission and measure of meaning: what the graphs of its outputs share with the gold graphs.
-- grain: submission_id, metric
-- reads: current_scoring, meaning_by_parser, submission_identity
-- group: grammar and meaning
-- listed: first
-- Opitz & Frank 2021, section 3.2. The chosen settings count, whatever the parser.
CREATE OR REPLACE VIEW meaning_scores AS
SELECT
    identity.* EXCLUDE (params, tags),
    metric,                 -- smatch or s2match
    parser,                 -- what made the graphs of the outputs
    quality,                -- lowest estimated quality of a parse; NULL where all count
    precision,              -- share of the triples of the outputs' graphs that match, 0 to 1
    recall,                 -- share of the gold graphs' triples that match
    f1,                     -- their harmonic mean: Meaning; NULL where there is no triple
    upper_precision,        -- precision of the parses of the references, over the same sentences
    upper_recall,           -- their recall
    upper_bound,            -- their F1
    f1 / upper_bound
        AS share_of_bound,  -- how much of that is reached
    sentences,              -- sentences compared
    without_graph,          -- those of them whose output has no graph: they count against recall
    flagged,                -- graphs of outputs with something unusual
    unproved,               -- alignments that are not proved to be the best
    gap,                    -- triples that better alignments might match besides, at most
    signature,              -- how it was computed
    identity.params,
    identity.tags
FROM meaning_by_parser
JOIN submission_identity AS identity USING (submission_id)
SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
ORDER BY identity.campaign_id, identity.treebank_id, metric, f1 DESC NULLS LAST, submission_id;
