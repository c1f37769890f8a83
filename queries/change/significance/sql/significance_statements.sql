-- compared_with: one row per submission and base of which a comparison is stored.
-- grain: submission_id, base_submission_id
SELECT DISTINCT submission_id, base_submission_id FROM comparison;

-- resampled_edits: one row per output: its edits, the length of the longer of output and reference, and that of the reference.
SELECT
    place,
    sentence_no,
    [edits, greatest(output_length, reference_length), reference_length]::DOUBLE[] AS statistics
FROM resampled
JOIN edit_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;

-- resampled_information: one row per output: lengths, totals and information in bits of n = 1 to 5.
SELECT
    place,
    sentence_no,
    list_concat([output_length, reference_length]::DOUBLE[], totals[1:5]::DOUBLE[], information[1:5])
        AS statistics
FROM resampled
JOIN ngram_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;

-- resampled_ngrams: one row per output: lengths of output and reference, matches and totals of n = 1 to 4.
SELECT
    place,
    sentence_no,
    list_concat([output_length, reference_length], matches[1:4], totals[1:4])::DOUBLE[] AS statistics
FROM resampled
JOIN ngram_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;

-- resampled_rouge: one row per output: its score by each type of ROUGE, 0 where it has none, and whether it has them.
SELECT
    place,
    sentence_no,
    list_append(
        [coalesce(rouge(statistics, type), 0) FOR type IN range(1, 5)],
        (statistics[3] > 0)::INTEGER
    )::DOUBLE[] AS statistics
FROM resampled
JOIN statistic_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;

-- resampled_scores: one row per output: its score, 0 where it has none, and whether it has one.
SELECT
    place,
    sentence_no,
    [coalesce(score, 0), (score IS NOT NULL)::INTEGER]::DOUBLE[] AS statistics
FROM resampled
JOIN sentence_score USING (submission_id, signature_id)
ORDER BY place, sentence_no;

-- resampled_smoothed_ngrams: one row per output: lengths, matches, and the denominators of bleu_smoothed.
SELECT
    place,
    sentence_no,
    list_concat([output_length, reference_length], matches[1:4], bleu_denominators(totals))::DOUBLE[]
        AS statistics
FROM resampled
JOIN ngram_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;

-- resampled_statistics: one row per output: the statistics that the metric stores.
SELECT place, sentence_no, statistics
FROM resampled
JOIN statistic_match USING (submission_id, signature_id)
ORDER BY place, sentence_no;

-- scores_are_yes_or_no: one row: whether a metric's scores of a test set's sentences are 0 or 1, and some of either.
SELECT coalesce(bool_and(score IN (0, 1)) AND count(DISTINCT score) = 2, false)
FROM sentence_score
JOIN submission USING (submission_id)
WHERE metric = $metric AND treebank_id = $treebank AND score IS NOT NULL;

-- significance_submissions: one row per submission with a current score, those of a treebank together, later runs of a system first.
-- $metrics: by one of these metrics; NULL for any.
-- grain: submission_id
SELECT submission.treebank_id, submission_id
FROM submission
SEMI JOIN (FROM current_scoring WHERE $metrics IS NULL OR list_contains($metrics, metric)) AS scored
    USING (submission_id)
ORDER BY submission.treebank_id, campaign_id, system_id, track, iteration DESC, submission_id;
