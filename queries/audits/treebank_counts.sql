-- treebank_counts: one row per treebank whose sentences or words are not as many as it says, or not numbered from 1.
WITH sentences AS (
    SELECT treebank_id, count(*) AS stored, max(sentence_no) AS last, min(sentence_no) AS first
    FROM sentence
    GROUP BY treebank_id
),
tokens AS (
    SELECT treebank_id, count(*) AS stored FROM token GROUP BY treebank_id
)
SELECT
    treebank_id,                                                   -- the treebank
    treebank.sentences,                                            -- sentences it should have
    coalesce(sentences.stored, 0)           AS stored_sentences,   -- sentences it has
    coalesce(sentences.last, 0)             AS last_sentence,      -- number of the last one
    treebank.tokens,                                               -- words it should have
    coalesce(tokens.stored, 0)              AS stored_tokens       -- words it has
FROM treebank
LEFT JOIN sentences USING (treebank_id)
LEFT JOIN tokens USING (treebank_id)
WHERE treebank.sentences <> coalesce(sentences.stored, 0)
    OR treebank.sentences <> coalesce(sentences.last, 0)
    OR coalesce(sentences.first, 1) <> 1
    OR treebank.tokens <> coalesce(tokens.stored, 0);
