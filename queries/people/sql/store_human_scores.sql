-- store_human_scores: one row per criterion and output: its score by the annotators whose judgements count.
-- Criteria whose scores are made of all annotators' judgements, or of the passing ones', are in $criteria.
INSERT INTO human_score BY NAME
SELECT
    submission_id,
    sentence_no,
    criterion,
    z_mean AS z_score,
    raw_mean,
    assessments AS judgements,
    $source AS source
FROM human_sentence
WHERE list_contains($criteria, criterion)
ORDER BY submission_id, criterion, sentence_no;
