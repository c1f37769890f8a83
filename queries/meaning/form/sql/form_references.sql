-- form_references: one row per sentence of a treebank: the text that outputs of one form are held against.
SELECT
    sentence_no,
    CASE
        WHEN text IS NULL THEN NULL
        WHEN $reference_form = 'tokens' THEN forms_text
        ELSE text
    END AS text
FROM sentence
WHERE treebank_id = $treebank_id
ORDER BY sentence_no;
