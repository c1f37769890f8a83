-- judged_criteria: one row per campaign and criterion with judgements: how many there are.
-- grain: campaign_id, criterion
-- group: internal
CREATE OR REPLACE VIEW judged_criteria AS
SELECT
    campaign_id,                                                              -- the campaign
    criterion,                                                                -- what was judged
    count(*) AS judgements,                                                   -- judgements of any kind
    count(*) FILTER (WHERE kind = 'repeat') AS repeats,                       -- exact repeats among them
    count(*) FILTER (WHERE kind = 'degraded') AS degraded_copies,             -- degraded copies among them
    count(*) FILTER (WHERE kind = 'reference') AS references_judged,          -- references put in as outputs among them
    count(DISTINCT annotator_id) AS annotators,                               -- those who judged
    count(DISTINCT submission_id) AS submissions,                             -- submissions that were judged
    sha256(
        string_agg(
            concat_ws(
                chr(31), annotator_id, coalesce(hit_id, ''), coalesce(submission_id, ''),
                treebank_id, sentence_no, kind, raw_score
            ),
            chr(30) ORDER BY judgement_no
        )
    ) AS data_sha256                                                          -- hash of all that counts in scores
FROM judgement
GROUP BY campaign_id, criterion
ORDER BY campaign_id, criterion;
