-- meaning_left_out: one row per treebank and sentence of which some submission has a parse of low quality, or of none known.
-- A missing output is no fault of the parser: it leaves the sentence in.
SELECT treebank_id, list(DISTINCT sentence_no ORDER BY sentence_no) AS sentences
FROM output_graph
JOIN submission USING (submission_id)
JOIN output USING (submission_id, sentence_no)
WHERE list_contains($submissions, submission_id)
    AND parser = $parser
    AND output.text IS NOT NULL
    AND NOT coalesce(quality >= $quality, false)
GROUP BY treebank_id;
