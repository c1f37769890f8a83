-- complexity_buckets: one row per reference sentence and feature of its tree: how complex it is among the sentences of its treebank.
-- grain: treebank_id, feature, sentence_no
-- group: ask why
-- Length and depth in three parts about as large (as many as there are where values repeat), words and edges without
-- punctuation; and projectivity.
CREATE OR REPLACE VIEW complexity_buckets AS
WITH counted AS (
    SELECT treebank_id, sentence_no, unnest(['length', 'depth']) AS feature, unnest([length, depth]) AS counted
    FROM sentence_complexity
    WHERE convention = 'standard'
),
bounded AS (
    SELECT
        *,
        quantile_disc(counted, 1 / 3) OVER feature AS low,
        quantile_disc(counted, 2 / 3) OVER feature AS high
    FROM counted
    WHERE counted IS NOT NULL
    WINDOW feature AS (PARTITION BY treebank_id, feature)
)
SELECT
    treebank_id,   -- the treebank
    sentence_no,   -- the sentence
    feature,       -- length, depth or projectivity
    CASE WHEN counted <= low THEN 1 WHEN counted <= high THEN 2 ELSE 3 END
        AS bucket, -- from 1, the simplest: three of length and depth, two of projectivity
    counted        -- words, or edges from the root down; NULL for projectivity
FROM bounded
UNION ALL
SELECT treebank_id, sentence_no, 'projectivity', CASE WHEN projective THEN 1 ELSE 2 END, NULL
FROM sentence_complexity
WHERE convention = 'standard' AND projective IS NOT NULL;
