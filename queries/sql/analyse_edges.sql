-- analyse_edges: the edges and lemmas of every sentence of the treebanks at hand, punctuation stripped.
-- reads: pending_tree
CREATE OR REPLACE TEMP TABLE kept_token AS
WITH stripped AS (
    SELECT
        treebank_id,
        sentence_no,
        unnest(words) AS word,
        unnest(strip_punctuation(heads, punctuation)) AS kept_head
    FROM pending_tree
)
SELECT
    treebank_id, sentence_no, word.token_no, kept_head,
    row_number() OVER (PARTITION BY treebank_id, sentence_no ORDER BY word.token_no) AS position,
    word.lemma, word.upos, word.deprel
FROM stripped
WHERE kept_head IS NOT NULL;

INSERT INTO reference_edge
SELECT
    dependent.treebank_id, dependent.sentence_no, dependent.token_no, head.token_no,
    dependent.deprel, dependent.lemma, head.lemma, dependent.upos, head.upos,
    (dependent.position - head.position)::INTEGER
FROM kept_token AS dependent
JOIN kept_token AS head
    ON head.treebank_id = dependent.treebank_id
    AND head.sentence_no = dependent.sentence_no
    AND head.token_no = dependent.kept_head
ORDER BY dependent.treebank_id, dependent.sentence_no, dependent.token_no;

INSERT INTO reference_lemmas
WITH kept AS (
    SELECT treebank_id, sentence_no, list_sort(list({position: position, lemma: lemma})) AS words
    FROM kept_token
    WHERE lemma IS NOT NULL
    GROUP BY ALL
)
SELECT treebank_id, sentence_no, coalesce(list_transform(words, lambda word: word.lemma), [])
FROM sentence
JOIN pending_treebank USING (treebank_id)
JOIN treebank USING (treebank_id)
LEFT JOIN kept USING (treebank_id, sentence_no)
WHERE NOT treebank.hidden_text
ORDER BY treebank_id, sentence_no;

INSERT INTO reference_edges
WITH edge AS (
    SELECT
        treebank_id, sentence_no,
        list_sort(list({
            token_no: token_no,
            deprel: reference_edge.deprel,
            position: position::INTEGER,
            distance: distance
        })) AS edges
    FROM reference_edge
    JOIN kept_token USING (treebank_id, sentence_no, token_no)
    GROUP BY ALL
)
SELECT
    treebank_id, sentence_no,
    list_transform(edges, lambda edge: edge.token_no), list_transform(edges, lambda edge: edge.deprel),
    list_transform(edges, lambda edge: edge.position), list_transform(edges, lambda edge: edge.distance)
FROM edge
ORDER BY treebank_id, sentence_no;

DROP TABLE kept_token;
