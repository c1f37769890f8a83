-- carried_words: one row per analysed word of a submission's outputs, numbered as the newer version is.
-- Reads drift_pair.
SELECT output_token.* EXCLUDE (submission_id) REPLACE (new_no AS sentence_no)
FROM output_token
JOIN drift_pair ON drift_pair.old_no = output_token.sentence_no
WHERE submission_id = $submission AND new_no IS NOT NULL
ORDER BY new_no, token_no;
