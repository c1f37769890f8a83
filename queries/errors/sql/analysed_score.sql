-- analysed_score: one row per output and measure of the submissions at hand: scores and human z-scores.
CREATE OR REPLACE TEMP VIEW analysed_score AS
SELECT submission_id, sentence_no, metric AS measure, score
FROM sentence_score
SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
SEMI JOIN pending_analysis USING (submission_id)
UNION ALL
SELECT submission_id, sentence_no, criterion || '_z', z_score
FROM human_score
SEMI JOIN pending_analysis USING (submission_id);
