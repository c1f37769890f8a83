-- coverage: one row per submission: how many sentences have an output.
-- grain: submission_id
-- reads: output_count, submission_identity
-- group: load
CREATE OR REPLACE VIEW coverage AS
SELECT
    identity.* EXCLUDE (params, tags),
    sentences,                          -- sentences of the treebank
    outputs,                            -- sentences with an output
    sentences - outputs AS missing,     -- sentences without one: they score 0
    outputs / sentences AS coverage,    -- share of sentences with an output, 0 to 1
    identity.params,
    identity.tags
FROM output_count
JOIN submission_identity AS identity USING (submission_id);
