-- coverage: one row per submission: how many sentences have an output.
CREATE OR REPLACE VIEW coverage AS
SELECT
    campaign_id,                                          -- the campaign
    treebank_id,                                          -- the treebank
    system_id,                                            -- the system
    submission_id,                                        -- the submission
    count(*)                         AS sentences,        -- sentences of the treebank
    count(output.text)               AS outputs,          -- sentences with an output
    count(*) - count(output.text)    AS missing,          -- sentences without one: they score 0
    count(output.text) / count(*)    AS coverage          -- share of sentences with an output, 0 to 1
FROM submission
JOIN output USING (submission_id)
GROUP BY campaign_id, treebank_id, system_id, submission_id;
