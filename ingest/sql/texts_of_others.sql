-- texts_of_others: one row per row of named_texts whose text is neither the output for its sentence nor the reference, in order.
SELECT row, submission_id, sentence_no, coalesce(output.text, sentence.text) AS output
FROM named_texts AS named
JOIN submission USING (submission_id)
LEFT JOIN sentence USING (treebank_id, sentence_no)
LEFT JOIN output USING (submission_id, sentence_no)
WHERE NOT list_contains(
    list_transform([output.text, sentence.text], lambda text: trim(nfc_normalize(text))),
    trim(nfc_normalize(named.text))
)
ORDER BY row
LIMIT 1;
