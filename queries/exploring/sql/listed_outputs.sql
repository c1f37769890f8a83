-- listed_outputs: one row per submission that has a sentence: its output and how it is scored.
SELECT
    submission_id, system_id, campaign_id, iteration, output,
    bleu, chrf, dea, adequacy_z, fluency_z
FROM sentence_scores
WHERE treebank_id = $treebank AND sentence_no = $sentence_no
    AND ($system IS NULL OR system_id = $system)
ORDER BY system_id, campaign_id, iteration, submission_id;
