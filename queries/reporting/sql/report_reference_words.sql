-- report_reference_words: one row per output shown: the text and the words of its reference.
WITH shown AS (
    SELECT unnest($submissions) AS submission_id, unnest($sentence_nos) AS sentence_no
)
SELECT
    submission_id,
    sentence_no,
    treebank_id,
    any_value(sentence.text) AS text,
    list(form ORDER BY token_no) AS forms
FROM shown
JOIN submission USING (submission_id)
JOIN sentence USING (treebank_id, sentence_no)
JOIN token USING (treebank_id, sentence_no)
GROUP BY submission_id, sentence_no, treebank_id
ORDER BY submission_id, sentence_no;
