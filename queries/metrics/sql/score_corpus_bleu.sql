-- score_corpus_bleu: BLEU-4 of each submission as sacreBLEU computes it from the same tokens.
INSERT INTO submission_score
SELECT
    pending.signature_id, pending.submission_id, any_value(pending.metric),
    CASE WHEN sum(reference_length) > 0 THEN
        corpus_bleu(
            element_sums(matches, 4), element_sums(totals, 4),
            sum(output_length), sum(reference_length)
        )
    END,
    count(*),
    CASE WHEN sum(reference_length) = 0 THEN 'the references have no words' END
FROM ngram_match
JOIN pending
    ON ngram_match.signature_id = pending.statistics_signature_id
    AND ngram_match.submission_id = pending.submission_id
GROUP BY pending.signature_id, pending.submission_id;
