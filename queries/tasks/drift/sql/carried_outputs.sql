-- carried_outputs: one row per sentence of the newer version: what a submission generated for it; NULL where
-- the older one has no such sentence. Reads drift_pair.
SELECT new_no, old_no, output.text
FROM drift_pair
LEFT JOIN output ON output.submission_id = $submission AND output.sentence_no = old_no
WHERE new_no IS NOT NULL
ORDER BY new_no;
