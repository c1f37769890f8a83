-- new_human_scores: one row per staged score of people's that is not stored as it is.
SELECT * EXCLUDE (source) FROM staged_scores
EXCEPT
SELECT submission_id, sentence_no, criterion, z_score, raw_mean, judgements FROM human_score;
