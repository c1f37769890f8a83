-- drift_other_words: one row per pair of sentences whose words differ, with the words of both.
-- Reads the temporary table drift_pair.
WITH words AS (
    SELECT treebank_id, sentence_no, list(coalesce(form, '') ORDER BY token_no) AS forms
    FROM token
    WHERE treebank_id IN ($old, $new)
    GROUP BY ALL
)
SELECT
    new_no,
    coalesce(old.forms, []) AS old_forms,
    coalesce(new.forms, []) AS new_forms
FROM drift_pair
LEFT JOIN words AS old ON old.treebank_id = $old AND old.sentence_no = old_no
LEFT JOIN words AS new ON new.treebank_id = $new AND new.sentence_no = new_no
WHERE old_no IS NOT NULL AND new_no IS NOT NULL
    AND old.forms IS DISTINCT FROM new.forms
ORDER BY new_no;
