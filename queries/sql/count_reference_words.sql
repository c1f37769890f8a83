-- count_reference_words: one row per treebank at hand and word of its references: how often it is there.
-- reads: pending_treebank
-- grain: treebank_id, word
CREATE OR REPLACE TEMP TABLE word_count AS
SELECT treebank_id, word, count(*) AS occurrences
FROM (
    SELECT treebank_id, unnest(reference_words(text)) AS word
    FROM sentence
    JOIN pending_treebank USING (treebank_id)
) AS words
GROUP BY ALL;
