-- lengths_of_judged: one row per output of $submissions to the sentences $sentence_nos: its characters.
SELECT submission_id, sentence_no, length(text) AS characters
FROM output
WHERE list_contains($submissions, submission_id) AND list_contains($sentence_nos, sentence_no) AND text IS NOT NULL
ORDER BY submission_id, sentence_no;
