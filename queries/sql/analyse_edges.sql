-- analyse_edges: the edges and lemmas of every sentence of the treebanks at hand, punctuation stripped.
CREATE OR REPLACE TEMP TABLE kept_token AS
WITH tree AS (
    SELECT
        treebank_id,
        sentence_no,
        list(token_no ORDER BY token_no) AS numbers,
        strip_punctuation(
            list(head ORDER BY token_no),
            list(is_punctuation(deprel, upos, form) ORDER BY token_no)
        ) AS heads
    FROM token
    JOIN pending_treebank USING (treebank_id)
    GROUP BY ALL
),
stripped AS (
    SELECT treebank_id, sentence_no, unnest(numbers) AS token_no, unnest(heads) AS kept_head
    FROM tree
)
SELECT
    treebank_id, sentence_no, token_no, kept_head,
    row_number() OVER (PARTITION BY treebank_id, sentence_no ORDER BY token_no) AS position,
    lower(coalesce(lemma, form)) AS lemma, upos, split_part(deprel, ':', 1) AS deprel
FROM stripped
JOIN token USING (treebank_id, sentence_no, token_no)
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
SELECT
    treebank_id, sentence_no,
    coalesce(list(kept_token.lemma ORDER BY position) FILTER (WHERE kept_token.lemma IS NOT NULL), [])
FROM sentence
JOIN pending_treebank USING (treebank_id)
JOIN treebank USING (treebank_id)
LEFT JOIN kept_token USING (treebank_id, sentence_no)
WHERE NOT treebank.hidden_text
GROUP BY ALL
ORDER BY treebank_id, sentence_no;

INSERT INTO reference_edges
SELECT
    treebank_id, sentence_no,
    list(token_no ORDER BY token_no), list(reference_edge.deprel ORDER BY token_no),
    list(position::INTEGER ORDER BY token_no), list(distance ORDER BY token_no)
FROM reference_edge
JOIN kept_token USING (treebank_id, sentence_no, token_no)
GROUP BY ALL
ORDER BY treebank_id, sentence_no;

DROP TABLE kept_token;
