-- pending_trees: makes pending_tree, the words in order of every sentence of the treebanks at hand (pending_treebank).
-- grain: treebank_id, sentence_no
-- Lists of rows are sorted at once: an aggregate with ORDER BY for each column takes three times as long.
CREATE OR REPLACE TEMP TABLE pending_tree AS
WITH tree AS (
    SELECT
        treebank_id,
        sentence_no,
        list_sort(list({
            token_no: token_no,
            head: head,
            punctuation: is_punctuation(deprel, upos, form),
            lemma: lower(coalesce(lemma, form)),
            upos: upos,
            deprel: split_part(deprel, ':', 1)
        })) AS words
    FROM token
    JOIN pending_treebank USING (treebank_id)
    GROUP BY ALL
)
SELECT
    *,
    list_transform(words, lambda word: word.head) AS heads,
    list_transform(words, lambda word: word.punctuation) AS punctuation
FROM tree;
