-- edges_of_judged: one row per output of $submissions and relation of its reference: the share of its edges that are realised.
SELECT submission_id, sentence_no, deprel, avg(found) AS share
FROM edge_match
SEMI JOIN current_scoring USING (submission_id, signature_id)
WHERE list_contains($submissions, submission_id) AND list_contains($sentence_nos, sentence_no)
GROUP BY submission_id, sentence_no, deprel
ORDER BY submission_id, sentence_no, deprel;
