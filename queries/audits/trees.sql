-- trees: one row per reference sentence that is no tree: words not numbered from 1, a head that is not there, not one root.
WITH tree AS (
    SELECT
        treebank_id,
        sentence_no,
        count(*) AS words,
        max(token_no) AS last,
        count(*) FILTER (WHERE head = 0) AS roots,
        bool_and(coalesce(head >= 0 AND head <> token_no, false)) AS headed,
        max(head) AS highest_head
    FROM token
    GROUP BY treebank_id, sentence_no
)
SELECT
    treebank_id,                -- the treebank
    sentence_no,                -- the sentence
    coalesce(words, 0) AS words,  -- its words
    last,                       -- number of the last one
    roots                       -- words with head 0
FROM sentence
-- Test sets of scheme text and meaning graphs have no trees.
SEMI JOIN (FROM treebank WHERE scheme NOT IN ('text', 'amr')) AS treebank USING (treebank_id)
LEFT JOIN tree USING (treebank_id, sentence_no)
WHERE coalesce(words <> last OR roots <> 1 OR NOT headed OR highest_head > last, true)
UNION ALL
SELECT treebank_id, sentence_no, NULL, multiword_token.last_token_no, NULL
FROM multiword_token
JOIN tree USING (treebank_id, sentence_no)
WHERE first_token_no < 1 OR first_token_no > last_token_no OR last_token_no > tree.last;
