-- outputs_to_judge: one row per output of the submissions for one of the sentences: its text.
SELECT sentence_no, submission_id, text
FROM output
WHERE submission_id IN (SELECT unnest($submissions))
    AND sentence_no IN (SELECT unnest($sentence_nos))
    AND regexp_matches(text, '\S')
ORDER BY sentence_no, submission_id;
