-- sentence_clusters: one row per sentence of a treebank ($treebank_id): the first sentence of its document, and of its text.
-- A document is the label that was loaded, else that of the sentence's source, else the one that the treebank's file starts
-- last before it. A text is the source text, else the reference text: same in Unicode's composed form with single blanks. A
-- sentence without one is the first itself.
-- grain: sentence_no
WITH started AS (
    SELECT
        sentence_no,
        nullif(trim(regexp_replace(nfc_normalize(coalesce(source_text, text)), '[\s\p{Z}]+', ' ', 'g')), '') AS plain,
        coalesce(labelled.value, document_id) AS document_id,
        newdoc,
        count(newdoc) OVER (ORDER BY sentence_no) AS documents_before
    FROM sentence
    LEFT JOIN sentence_source USING (treebank_id, sentence_no)
    LEFT JOIN (FROM sentence_label WHERE label = 'document' AND origin = 'loaded') AS labelled
        USING (treebank_id, sentence_no)
    WHERE treebank_id = $treebank_id
),
named AS (
    SELECT
        sentence_no,
        plain,
        coalesce(
            'source ' || document_id,
            'file ' || nullif(first_value(newdoc) OVER (PARTITION BY documents_before ORDER BY sentence_no), ''),
            if(documents_before > 0, 'place ' || documents_before, NULL)
        ) AS document
    FROM started
)
SELECT
    sentence_no,
    if(document IS NULL, sentence_no, min(sentence_no) OVER (PARTITION BY document)) AS document,
    if(plain IS NULL, sentence_no, min(sentence_no) OVER (PARTITION BY plain)) AS text
FROM named
ORDER BY sentence_no;
