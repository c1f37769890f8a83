-- output_count: one row per submission: how many sentences it was to give, and gave, an output for.
-- grain: submission_id
-- group: internal
-- Texts are read where some are missing alone: statistics of the storage tell where that is.
CREATE OR REPLACE VIEW output_count AS
WITH given AS (
    SELECT submission_id, count(*) AS sentences
    FROM output
    GROUP BY submission_id
),
lacking AS (
    SELECT submission_id, count(*) AS missing
    FROM output
    WHERE text IS NULL
    GROUP BY submission_id
)
SELECT
    submission_id,                               -- the submission
    sentences,                                   -- sentences of the treebank
    sentences - coalesce(missing, 0) AS outputs  -- sentences with an output
FROM given
LEFT JOIN lacking USING (submission_id);
