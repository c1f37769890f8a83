-- reference_tokens: one row per sentence of a treebank in one reference form: its surface tokens.
SELECT
    sentence_no,
    surface_tokens(CASE $form WHEN 'tokens' THEN forms_text ELSE text END) AS tokens
FROM sentence
WHERE treebank_id = $treebank_id AND text IS NOT NULL
ORDER BY sentence_no;
