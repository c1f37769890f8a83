-- ranked_sentences: one row per row of human_sentence: the score that ranks its submission ($ranked_by 'z' or 'raw'), its document and domain.
-- The document is NULL where none is known, and where tests are not by $unit 'documents'.
-- The domain is the label that was loaded, else the one stored with the source, or what the brackets of $domain_pattern find in
-- the name of the document ($brackets: 1, or 0 for all that is found); NULL where none is there, and where means are not $over
-- 'domains'.
CREATE OR REPLACE TEMP TABLE ranked_sentence AS
SELECT
    human_sentence.*,
    if($ranked_by = 'raw', raw_mean, z_mean) AS score,
    if($unit = 'documents', coalesce(documents.value, source.document_id), NULL) AS document,
    CASE
        WHEN $over <> 'domains' THEN NULL
        WHEN $domain_pattern IS NULL THEN coalesce(domains.value, source.domain)
        WHEN $brackets = 1 THEN nullif(regexp_extract(source.document_id, $domain_pattern, 1), '')
        ELSE nullif(regexp_extract(source.document_id, $domain_pattern), '')
    END AS domain
FROM human_sentence
LEFT JOIN sentence_source AS source USING (treebank_id, sentence_no)
LEFT JOIN (FROM sentence_label WHERE label = 'domain') AS domains USING (treebank_id, sentence_no)
LEFT JOIN (FROM sentence_label WHERE label = 'document') AS documents USING (treebank_id, sentence_no)
ORDER BY treebank_id, criterion, submission_id, sentence_no;
