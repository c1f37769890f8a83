-- text_reference: one row per sentence of the submissions at hand and reference it has, the first of place 0.
-- As they were given and as plain_text makes them; alternatives are in the order of their names.
CREATE OR REPLACE TEMP VIEW text_reference AS
WITH reference AS (
    SELECT treebank_id, sentence_no, 0 AS place, text FROM sentence
    UNION ALL
    SELECT
        treebank_id, sentence_no,
        row_number() OVER (PARTITION BY treebank_id, sentence_no ORDER BY reference_name), text
    FROM alternative_reference
)
SELECT treebank_id, sentence_no, place, text AS reference_raw, plain_text(text) AS reference_text
FROM (SELECT DISTINCT treebank_id FROM pending)
JOIN reference USING (treebank_id)
WHERE text IS NOT NULL;
