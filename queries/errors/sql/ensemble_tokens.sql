-- ensemble_tokens: one row per word of the outputs that an ensemble is made of; reads the temporary table ensemble_choice.
SELECT output_token.*
FROM output_token
SEMI JOIN ensemble_choice USING (submission_id, sentence_no)
ORDER BY sentence_no, token_no;
