-- example_scores: one row per output asked for and measure: its score; human scores end in _z.
SELECT sentence_no, metric AS measure, score
FROM sentence_score
JOIN current_scoring USING (submission_id, metric, signature_id)
WHERE submission_id = $submission_id AND list_contains($sentence_nos, sentence_no)
UNION ALL
SELECT sentence_no, criterion || '_z', z_score
FROM human_score
WHERE submission_id = $submission_id AND list_contains($sentence_nos, sentence_no)
ORDER BY sentence_no, measure;
