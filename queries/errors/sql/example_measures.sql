-- example_measures: one row per measure that outputs of a submission are scored by.
SELECT DISTINCT metric AS measure
FROM sentence_score
SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
WHERE submission_id = $submission_id AND score IS NOT NULL
UNION
SELECT criterion || '_z'
FROM human_score
WHERE submission_id = $submission_id AND z_score IS NOT NULL
ORDER BY measure;
