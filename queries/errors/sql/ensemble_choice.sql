-- ensemble_choice: one row per sentence of a treebank: the submission to take its output from.
-- A submission's score of a tree is the mean over the tree's edges of the submission's accuracy on
-- their relations (Shimorina et al. 2021, section 6), here learned from the sentences of the other
-- folds. A relation that these do not have counts as their edges do on the whole. Folds are as
-- equal as can be and come from the hash of seed and sentence. Scores are compared to 12 digits;
-- ties go to the higher accuracy on the other folds as a whole, then to the first name. An output
-- that is missing is not taken where another submission has one.
WITH sentences AS (
    SELECT
        sentence_no,
        ntile($folds) OVER (ORDER BY sha256(concat($seed, ' ', sentence_no)), sentence_no) AS fold
    FROM sentence
    WHERE treebank_id = $treebank_id
),
edge AS (
    SELECT submission_id, sentence_no, fold, coalesce(deprel, '') AS deprel, found
    FROM edge_match
    SEMI JOIN current_scoring USING (submission_id, signature_id)
    JOIN sentences USING (sentence_no)
    WHERE list_contains($submissions, submission_id)
),
counts AS (
    SELECT submission_id, fold, deprel, sum(found) AS found, count(*) AS edges
    FROM edge
    GROUP BY ALL
),
folds AS (
    SELECT DISTINCT fold FROM sentences
),
relation_accuracy AS (
    SELECT submission_id, folds.fold, deprel, sum(found) / sum(edges) AS dea
    FROM counts
    JOIN folds ON folds.fold <> counts.fold
    GROUP BY ALL
),
accuracy AS (
    SELECT submission_id, folds.fold, sum(found) / sum(edges) AS dea
    FROM counts
    JOIN folds ON folds.fold <> counts.fold
    GROUP BY ALL
),
in_tree AS (
    SELECT submission_id, sentence_no, fold, deprel, count(*) AS edges
    FROM edge
    GROUP BY ALL
),
tree_score AS (
    SELECT
        submission_id, sentence_no,
        sum(edges * coalesce(relation_accuracy.dea, accuracy.dea) ORDER BY deprel) / sum(edges)
            AS score
    FROM in_tree
    LEFT JOIN relation_accuracy USING (submission_id, fold, deprel)
    LEFT JOIN accuracy USING (submission_id, fold)
    GROUP BY ALL
)
SELECT
    sentence_no,
    fold,
    submission_id,
    score,
    text
FROM sentences
JOIN output USING (sentence_no)
LEFT JOIN tree_score USING (submission_id, sentence_no)
LEFT JOIN accuracy USING (submission_id, fold)
WHERE list_contains($submissions, submission_id)
QUALIFY row_number() OVER (
    PARTITION BY sentence_no
    ORDER BY
        text IS NULL, round(score, 12) DESC NULLS LAST, accuracy.dea DESC NULLS LAST, submission_id
) = 1
ORDER BY sentence_no;
