-- match_edges: one row of edge_match per reference edge: whether the output has it.
-- An edge is head lemma, dependent lemma and signed distance (Shimorina et al. 2021, section 3.2).
-- Each occurrence in the output realises one edge: of equal edges, the first ones are found.
-- Submissions go by number within: joins on their long names took most of the time.
INSERT INTO edge_match
WITH run AS (
    SELECT *, row_number() OVER (ORDER BY submission_id) AS run_no FROM pending
),
edge AS (
    SELECT
        run_no, sentence_no, token_no, deprel, head_lemma, lemma, distance,
        row_number() OVER (
            PARTITION BY run_no, sentence_no, head_lemma, lemma, distance ORDER BY token_no
        ) AS occurrence
    FROM run
    JOIN reference_edge USING (treebank_id)
),
word AS (
    SELECT run_no, sentence_no, position, lower(coalesce(lemma, form)) AS lemma
    FROM output_token
    JOIN run USING (submission_id)
    WHERE position IS NOT NULL
),
occurrences AS (
    SELECT run_no, sentence_no, edge.head_lemma, edge.lemma, edge.distance, count(*) AS times
    FROM edge
    JOIN word AS head
        USING (run_no, sentence_no)
    JOIN word AS dependent
        USING (run_no, sentence_no)
    WHERE edge.occurrence = 1
        AND head.lemma = edge.head_lemma
        AND dependent.lemma = edge.lemma
        AND dependent.position = head.position + edge.distance
    GROUP BY ALL
)
SELECT
    run.signature_id, run.submission_id, sentence_no, token_no, deprel,
    (occurrence <= coalesce(times, 0))::INTEGER
FROM edge
JOIN run USING (run_no)
LEFT JOIN occurrences USING (run_no, sentence_no, head_lemma, lemma, distance)
ORDER BY run_no, sentence_no, token_no;
