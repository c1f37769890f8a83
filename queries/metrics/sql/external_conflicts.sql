-- external_conflicts: one row per submission of which other scores are stored than are given.
SELECT
    submission_id,
    CASE WHEN stored_sentences > 0 THEN differing_sentence END AS sentence_no
FROM external_side
WHERE (stored_sentences > 0 AND differing_sentence IS NOT NULL)
    OR (gives_whole AND whole_was_given AND given_score IS DISTINCT FROM stored_score)
ORDER BY submission_id;
