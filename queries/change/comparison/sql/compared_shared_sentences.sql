-- compared_shared_sentences: one row per pair of sentences of two treebanks with the same reference text.
-- Same in Unicode's composed form with single blanks; of a text that repeats the first goes with the first.
WITH reference AS (
    SELECT
        treebank_id,
        sentence_no,
        trim(regexp_replace(nfc_normalize(text), '[\s\p{Z}]+', ' ', 'g')) AS plain
    FROM sentence
    WHERE treebank_id IN ($treebank, $other) AND text IS NOT NULL
),
numbered AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY treebank_id, plain ORDER BY sentence_no) AS repetition
    FROM reference
)
SELECT one.sentence_no, another.sentence_no
FROM numbered AS one
JOIN numbered AS another USING (plain, repetition)
WHERE one.treebank_id = $treebank AND another.treebank_id = $other
ORDER BY one.sentence_no;
