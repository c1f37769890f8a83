-- reference_text: one row per sentence of a treebank in one reference form: its normalised text.
SELECT
    sentence_no,
    normalised_text(CASE $form WHEN 'tokens' THEN forms_text ELSE text END) AS text
FROM sentence
WHERE treebank_id = $treebank_id AND text IS NOT NULL
ORDER BY sentence_no;
