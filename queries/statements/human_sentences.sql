-- human_sentences: one row per criterion and output that the $annotators ('all' or 'passing') judged: its mean scores.
CREATE OR REPLACE TEMP TABLE human_sentence AS
SELECT
    campaign_id,
    treebank_id,
    criterion,
    submission_id,
    sentence_no,
    avg(raw_score ORDER BY judgement_no) AS raw_mean,
    avg(z_score ORDER BY judgement_no) AS z_mean,
    count(*)::INTEGER AS assessments
FROM standardised_judgement
WHERE $annotators = 'all' OR passed
GROUP BY ALL
ORDER BY treebank_id, criterion, submission_id, sentence_no;
