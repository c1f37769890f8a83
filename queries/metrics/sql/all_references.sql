-- all_references: one row per sentence of the submissions at hand: its first reference, and lists of all.
CREATE OR REPLACE TEMP VIEW listed_reference AS
SELECT *
FROM single_reference
JOIN (
    SELECT
        treebank_id, sentence_no,
        list(reference_raw ORDER BY place) AS references_raw,
        list(reference_text ORDER BY place) AS references_text
    FROM text_reference
    GROUP BY ALL
) USING (treebank_id, sentence_no);
