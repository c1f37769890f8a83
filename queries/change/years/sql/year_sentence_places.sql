-- year_sentence_places: one row per shared sentence of a treebank: its place among the treebank's sentences, from 0.
WITH numbered AS (
    SELECT sentence_no, row_number() OVER (ORDER BY sentence_no) - 1 AS place
    FROM sentence
    WHERE treebank_id = $treebank
)
SELECT place
FROM numbered
JOIN year_sentence USING (sentence_no)
WHERE line = $line AND treebank_id = $treebank
ORDER BY place;
