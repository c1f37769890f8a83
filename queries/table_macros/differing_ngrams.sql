-- differing_ngrams: one row per sentence and n-gram of words that one of two submissions to a test set has and the other lacks.
-- Columns: sentence_no; ngram; in_reference, whether a reference of the sentence has it; in_new, whether the first has it,
-- else the second does. Sentences without a reference text are left out.
CREATE OR REPLACE MACRO differing_ngrams(new_submission, base_submission) AS TABLE
WITH written AS (
    SELECT sentence_no, CASE WHEN submission_id = new_submission THEN 1 ELSE 2 END AS side, coalesce(text, '') AS text
    FROM output
    WHERE submission_id IN (new_submission, base_submission)
),
test_set AS (
    SELECT treebank_id FROM submission WHERE submission_id = new_submission
),
reference AS (
    SELECT sentence_no, 4, text FROM sentence SEMI JOIN test_set USING (treebank_id) WHERE text IS NOT NULL
    UNION ALL
    SELECT sentence_no, 4, text FROM alternative_reference SEMI JOIN test_set USING (treebank_id)
),
changed AS (
    SELECT sentence_no
    FROM written
    SEMI JOIN reference USING (sentence_no)
    GROUP BY sentence_no
    HAVING min(text) <> max(text)
),
worded AS MATERIALIZED (
    SELECT sentence_no, side, text_words(text) AS words
    FROM (FROM written UNION ALL FROM reference)
    SEMI JOIN changed USING (sentence_no)
),
occurrence AS (
    SELECT sentence_no, side, unnest(word_ngrams(words)) AS ngram FROM worded
)
SELECT sentence_no, ngram, bit_or(side) >= 4 AS in_reference, bit_or(side) & 1 = 1 AS in_new
FROM occurrence
GROUP BY sentence_no, ngram
HAVING bit_or(side) & 3 IN (1, 2);
