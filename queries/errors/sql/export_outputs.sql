-- export_outputs: one row per sentence from $first to $last for which a submission has an output: its words, and the errors marked in it.
WITH marked AS (
    SELECT sentence_no, flatten(list(error_spans ORDER BY judgement_no)) AS errors
    FROM judgement
    WHERE submission_id = $submission
        AND sentence_no BETWEEN $first AND $last
        AND error_spans IS NOT NULL
        AND kind <> 'degraded'
    GROUP BY sentence_no
)
SELECT
    output.sentence_no,
    coalesce(sentence.sent_id, sentence.sentence_no::VARCHAR) AS sent_id,
    sentence.text AS reference,
    output.text,
    words.forms, words.lemmas, words.upos, words.xpos, words.feats, words.heads, words.deprels,
    marked.errors
FROM submission
JOIN output USING (submission_id)
JOIN sentence
    ON sentence.treebank_id = submission.treebank_id
    AND sentence.sentence_no = output.sentence_no
LEFT JOIN output_words AS words
    ON words.submission_id = output.submission_id
    AND words.sentence_no = output.sentence_no
LEFT JOIN marked ON marked.sentence_no = output.sentence_no
WHERE output.submission_id = $submission
    AND output.sentence_no BETWEEN $first AND $last
    AND output.text IS NOT NULL
ORDER BY output.sentence_no;
