-- coverage: one row per submission: how many sentences have an output.
-- grain: submission_id
-- reads: submission_identity
-- group: load
CREATE OR REPLACE VIEW coverage AS
WITH counted AS (
    SELECT submission_id, count(*) AS sentences, count(text) AS outputs
    FROM output
    GROUP BY submission_id
)
SELECT
    identity.* EXCLUDE (params, tags),
    sentences,                          -- sentences of the treebank
    outputs,                            -- sentences with an output
    sentences - outputs AS missing,     -- sentences without one: they score 0
    outputs / sentences AS coverage,    -- share of sentences with an output, 0 to 1
    identity.params,
    identity.tags
FROM counted
JOIN submission_identity AS identity USING (submission_id);
