-- annotator_pass_rates: one row per campaign and criterion: how many annotators passed quality control.
-- grain: campaign_id, criterion
-- group: people
CREATE OR REPLACE VIEW annotator_pass_rates AS
SELECT
    campaign_id,                                                            -- the campaign
    criterion,                                                              -- what was judged
    count(*) AS annotators,                                                 -- annotators
    count(passed) AS tested,                                                -- those with at least two degraded copies: it can be told
    count(*) FILTER (WHERE passed) AS passed,                               -- those who passed
    count(*) FILTER (WHERE passed) / nullif(count(passed), 0) AS share,     -- passed of those tested, 0 to 1; NULL where nobody is
    sum(judgements)::BIGINT AS judgements,                                  -- judgements of any kind
    coalesce(sum(judgements) FILTER (WHERE passed), 0)::BIGINT AS passing_judgements  -- those of annotators who passed
FROM annotator_quality
GROUP BY campaign_id, criterion
ORDER BY campaign_id, criterion;
