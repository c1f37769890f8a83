-- segments_to_judge: one row per output of the submissions for one of the sentences, in the order of systems and documents.
-- A system of a later iteration is called as commands call it (SYSTEM@2). A sentence of no known document is one itself.
SELECT
    submission.system_id || CASE WHEN iteration > 1 THEN '@' || iteration ELSE '' END AS system,
    coalesce(source.document_id, sentence.treebank_id || '-' || sentence_no)          AS document,
    sentence_no,
    sentence.sent_id,
    source.source_text,
    sentence.text                                                                     AS reference,
    output.text
FROM output
JOIN submission USING (submission_id)
JOIN sentence USING (treebank_id, sentence_no)
LEFT JOIN sentence_source AS source USING (treebank_id, sentence_no)
WHERE list_contains($submissions, submission_id)
    AND list_contains($sentence_nos, sentence_no)
    AND regexp_matches(output.text, '\S')
ORDER BY system, document, sentence_no;
