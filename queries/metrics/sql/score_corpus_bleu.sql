-- score_corpus_bleu: BLEU-4 of each submission, as the macro {bleu} computes it from sums of matches and of {totals}.
INSERT INTO submission_score
SELECT
    signature_id, submission_id, metric,
    CASE WHEN reference_length > 0
        THEN {bleu}(matches, totals, output_length, reference_length) END,
    sentences,
    CASE WHEN reference_length = 0 THEN 'the references have no words' END
FROM (
    SELECT
        pending.signature_id, pending.submission_id, any_value(pending.metric) AS metric,
        element_sums(matches, 4) AS matches, element_sums({totals}, 4) AS totals,
        sum(output_length) AS output_length, sum(reference_length) AS reference_length,
        count(*) AS sentences
    FROM ngram_match
    JOIN pending
        ON ngram_match.signature_id = pending.statistics_signature_id
        AND ngram_match.submission_id = pending.submission_id
    GROUP BY pending.signature_id, pending.submission_id
);
