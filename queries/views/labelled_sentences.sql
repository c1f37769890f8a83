-- labelled_sentences: one row per reference sentence and label: what sentences are told apart by, such as domain, document, genre or length.
-- grain: treebank_id, sentence_no, label
-- group: score
-- formerly: sentence_labels
-- Domains and documents are those that were loaded with sources, else the documents that the treebank's file starts.
-- Labels that were loaded as such go before all others of their name.
CREATE OR REPLACE VIEW labelled_sentences AS
WITH started AS (
    SELECT
        treebank_id,
        sentence_no,
        newdoc,
        count(newdoc) OVER (PARTITION BY treebank_id ORDER BY sentence_no) AS documents_before
    FROM sentence
),
known AS (
    SELECT treebank_id, sentence_no, 'domain' AS label, domain AS value
    FROM sentence_source
    UNION ALL
    SELECT
        treebank_id,
        sentence_no,
        'document',
        coalesce(
            document_id,
            nullif(first_value(newdoc) OVER (PARTITION BY treebank_id, documents_before ORDER BY sentence_no), ''),
            CASE WHEN documents_before > 0 THEN 'document ' || documents_before END
        )
    FROM started
    LEFT JOIN sentence_source USING (treebank_id, sentence_no)
)
SELECT
    treebank_id,   -- the treebank
    sentence_no,   -- the sentence
    label,         -- name of the label: domain, document, genre, length, frequency, or any other
    value,         -- the sentence's value of it; a sentence without one has no row
    origin         -- loaded, comments or computed, as in sentence_label; sources: with sources and documents
FROM sentence_label
UNION ALL
SELECT treebank_id, sentence_no, label, value, 'sources'
FROM known
ANTI JOIN sentence_label USING (treebank_id, sentence_no, label)
WHERE value IS NOT NULL;
