-- pair_ratings: a table with one row per criterion, output that several counted annotators judged, and annotator.
-- The score is the mean of the annotator's ordinary judgements of the output.
CREATE OR REPLACE TEMP TABLE paired_rating AS
WITH rating AS (
    SELECT
        criterion, treebank_id, submission_id, sentence_no, annotator_id,
        avg(raw_score ORDER BY judgement_no) AS score,
        count(*) AS judgements
    FROM judgement_at_hand
    SEMI JOIN counted_annotator USING (annotator_id, criterion)
    WHERE kind = 'ordinary'
    GROUP BY ALL
)
SELECT *
FROM rating
QUALIFY count(*) OVER (PARTITION BY criterion, treebank_id, submission_id, sentence_no) > 1;
