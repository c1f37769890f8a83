-- drift_pairs: makes the temporary table drift_pair: one row per sentence of two versions of a test set.
-- Sentences with the same sent_id belong together, then those with the same text (Unicode's composed form,
-- single blanks), the first of a repeated one with the first. Without $by_id the texts alone decide.
CREATE OR REPLACE TEMP TABLE drift_pair AS
WITH version AS (
    SELECT
        treebank_id,
        sentence_no,
        sent_id,
        trim(regexp_replace(nfc_normalize(text), '[\s\p{Z}]+', ' ', 'g')) AS plain,
        count(*) OVER (PARTITION BY treebank_id, sent_id) = 1 AS has_own_id
    FROM sentence
    WHERE treebank_id IN ($old, $new)
),
by_id AS (
    SELECT old.sentence_no AS old_no, new.sentence_no AS new_no, 'sent_id' AS matched_by
    FROM version AS old
    JOIN version AS new USING (sent_id)
    WHERE $by_id
        AND old.treebank_id = $old AND new.treebank_id = $new
        AND old.has_own_id AND new.has_own_id
),
numbered AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY treebank_id, plain ORDER BY sentence_no) AS repetition
    FROM version
    WHERE plain IS NOT NULL
        AND NOT (treebank_id = $old AND sentence_no IN (SELECT old_no FROM by_id))
        AND NOT (treebank_id = $new AND sentence_no IN (SELECT new_no FROM by_id))
),
matched AS (
    FROM by_id
    UNION ALL
    SELECT old.sentence_no, new.sentence_no, 'text'
    FROM numbered AS old
    JOIN numbered AS new USING (plain, repetition)
    WHERE old.treebank_id = $old AND new.treebank_id = $new
)
SELECT
    old.sentence_no AS old_no,
    new.sentence_no AS new_no,
    matched_by,
    old.plain IS NOT DISTINCT FROM new.plain AS same_text
FROM matched
FULL JOIN (FROM version WHERE treebank_id = $old) AS old ON old.sentence_no = matched.old_no
FULL JOIN (FROM version WHERE treebank_id = $new) AS new ON new.sentence_no = matched.new_no;
