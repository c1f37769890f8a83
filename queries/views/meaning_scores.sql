-- meaning_scores: one row per submission and measure of meaning: what the graphs of its outputs share with the gold graphs.
-- Opitz & Frank 2021, section 3.2. The newest scoring counts, whatever its parser.
CREATE OR REPLACE VIEW meaning_scores AS
SELECT
    submission_id,          -- the submission
    campaign_id,            -- the campaign
    year,                   -- its year
    system_id,              -- the system
    treebank_id,            -- the treebank
    language,               -- its language
    iteration,              -- iteration of the system, from 1
    metric,                 -- smatch or s2match
    parser,                 -- what made the graphs of the outputs
    quality,                -- lowest estimated quality of a parse; NULL where all count
    precision,              -- share of the triples of the outputs' graphs that match, 0 to 1
    recall,                 -- share of the gold graphs' triples that match
    f1,                     -- their harmonic mean: Meaning; NULL where there is no triple
    upper_bound,            -- F1 of the parses of the references, over the same sentences
    f1 / upper_bound
        AS share_of_bound,  -- how much of that is reached
    sentences,              -- sentences compared
    without_graph,          -- those of them whose output has no graph: they count against recall
    flagged,                -- graphs of outputs with something unusual
    unproved,               -- alignments that are not proved to be the best
    gap,                    -- triples that better alignments might match besides, at most
    signature               -- how it was computed
FROM meaning_by_parser
SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
ORDER BY campaign_id, treebank_id, metric, f1 DESC NULLS LAST, submission_id;
