-- sentences_to_judge: one row per sentence of a treebank with an output of one of the submissions: its length.
-- In words, and where the treebank has none in letters of the outputs.
SELECT
    sentence_no,
    coalesce(sent_id, sentence_no::VARCHAR) AS sent_id,
    sentence.text AS reference,
    coalesce(words.words::DOUBLE, judged.letters) AS length
FROM sentence
JOIN (
    SELECT sentence_no, avg(length(text)) AS letters
    FROM output
    WHERE submission_id IN (SELECT unnest($submissions)) AND regexp_matches(text, '\S')
    GROUP BY sentence_no
) AS judged USING (sentence_no)
LEFT JOIN (
    SELECT sentence_no, count(*) AS words FROM token WHERE treebank_id = $treebank GROUP BY sentence_no
) AS words USING (sentence_no)
WHERE treebank_id = $treebank
ORDER BY sentence_no;
