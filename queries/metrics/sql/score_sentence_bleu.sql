-- score_sentence_bleu: BLEU-4 of each output, as the macro {bleu} computes it.
INSERT INTO sentence_score
SELECT
    pending.signature_id, pending.submission_id, sentence_no, pending.metric,
    CASE WHEN reference_length > 0
        THEN {bleu}(matches, totals, output_length, reference_length) END,
    CASE WHEN reference_length = 0 THEN 'the reference has no words' END
FROM ngram_match
JOIN pending
    ON ngram_match.signature_id = pending.statistics_signature_id
    AND ngram_match.submission_id = pending.submission_id;
