-- match_edges: one row of edge_match per reference edge: whether the output has it.
-- An edge is head lemma, dependent lemma and signed distance (Shimorina et al. 2021, section 3.2).
-- Each occurrence in the output realises one edge: of equal edges, the first ones are found.
INSERT INTO edge_match
WITH edge AS (
    SELECT
        signature_id, submission_id, sentence_no, token_no, deprel,
        head_lemma, lemma, distance,
        row_number() OVER (
            PARTITION BY submission_id, sentence_no, head_lemma, lemma, distance
            ORDER BY token_no
        ) AS occurrence
    FROM pending
    JOIN reference_edge USING (treebank_id)
),
word AS (
    SELECT submission_id, sentence_no, position, lower(coalesce(lemma, form)) AS lemma
    FROM output_token
    JOIN pending USING (submission_id)
    WHERE position IS NOT NULL
),
wanted AS (
    SELECT DISTINCT submission_id, sentence_no, head_lemma, lemma, distance FROM edge
),
occurrences AS (
    SELECT
        wanted.submission_id, wanted.sentence_no, wanted.head_lemma, wanted.lemma, wanted.distance,
        count(*) AS times
    FROM wanted
    JOIN word AS head
        ON head.submission_id = wanted.submission_id
        AND head.sentence_no = wanted.sentence_no
        AND head.lemma = wanted.head_lemma
    JOIN word AS dependent
        ON dependent.submission_id = wanted.submission_id
        AND dependent.sentence_no = wanted.sentence_no
        AND dependent.lemma = wanted.lemma
        AND dependent.position = head.position + wanted.distance
    GROUP BY ALL
)
SELECT
    signature_id, edge.submission_id, edge.sentence_no, token_no, deprel,
    (occurrence <= coalesce(times, 0))::INTEGER
FROM edge
LEFT JOIN occurrences
    ON occurrences.submission_id = edge.submission_id
    AND occurrences.sentence_no = edge.sentence_no
    AND occurrences.head_lemma = edge.head_lemma
    AND occurrences.lemma = edge.lemma
    AND occurrences.distance = edge.distance
ORDER BY edge.submission_id, edge.sentence_no, token_no;
