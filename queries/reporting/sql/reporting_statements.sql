-- report_correlation_medians: one row per pair of measures: their correlation over the selected submissions.
SELECT *
FROM correlation_medians
WHERE method = $method AND submissions > 0
ORDER BY unit, measure, other_measure;

-- report_correlation_methods: one row per method of correlation that was computed, Spearman's first.
SELECT method
FROM measure_correlations
WHERE list_contains($submissions, submission_id)
GROUP BY method
ORDER BY method <> 'spearman', method;

-- report_data_hash: one row: a hash of the outputs and references behind the report.
SELECT sha256(string_agg(concat_ws(' ', submission_id, submission.sha256, treebank.sha256), ',' ORDER BY submission_id)) AS sha256
FROM submission
JOIN treebank USING (treebank_id)
WHERE list_contains($submissions, submission_id);

-- report_human_comparisons: one row per ordered pair of submissions and criterion.
SELECT human_pairs.*
FROM human_pairs
JOIN standardisation USING (campaign_id, criterion, annotators)
WHERE list_contains($submissions, submission_id) AND list_contains($submissions, base_submission_id)
ORDER BY campaign_id, treebank_id, criterion, submission_id, base_submission_id;

-- report_human_rankings: one row per submission and criterion, best first, by the annotators whose judgements count.
SELECT human_leaderboard.*
FROM human_leaderboard
JOIN standardisation USING (campaign_id, criterion, annotators)
WHERE list_contains($submissions, submission_id)
ORDER BY campaign_id, treebank_id, criterion, z_mean DESC NULLS LAST, submission_id;

-- report_iterated: one row per campaign, system, treebank and track with several of these submissions.
SELECT campaign_id, system_id, treebank_id, track, count(*) AS iterations
FROM submission
WHERE list_contains($submissions, submission_id)
GROUP BY campaign_id, system_id, treebank_id, track
HAVING count(*) > 1
ORDER BY campaign_id, treebank_id, system_id, track;

-- report_metric_changes: one row per two submissions that are compared, and metric.
-- $submissions: those of the report.
-- grain: submission_id, base_submission_id, measure
SELECT *
FROM measure_changes
WHERE kind = 'metric' AND list_contains($submissions, submission_id)
    AND list_contains($submissions, base_submission_id)
ORDER BY treebank_id, measure, submission_id, base_submission_id;

-- report_minings: one row per submission and error mining.
SELECT mining.*, analysis.settings, analysis.signature
FROM error_mining AS mining
JOIN analysis USING (signature_id, submission_id)
SEMI JOIN current_analysis USING (signature_id, submission_id)
WHERE list_contains($submissions, submission_id)
ORDER BY labels, metric <> 'bleu', metric, settings, submission_id;

-- report_pattern_coverage: one row per pattern that is suspicious in one of the selected submissions, widest coverage first.
SELECT *
FROM pattern_coverage
WHERE settings = $settings AND suspicious_in > 0
ORDER BY coverage DESC, suspicion_mean DESC, pattern;

-- report_references: one row per treebank: the data that scores compare with.
SELECT treebank_id, language, sha256
FROM treebank
WHERE list_contains($treebanks, treebank_id)
ORDER BY treebank_id;

-- report_signatures: one row per way of scoring, its treebank left out, with the treebanks scored that way.
SELECT
    metric,
    regexp_replace(signature, '\|treebank:.*$', '') AS signature,
    count(*) AS submissions
FROM submission_metrics
WHERE list_contains($submissions, submission_id)
GROUP BY ALL
ORDER BY ALL;

-- report_submission_patterns: one row per pattern of one submission that is more frequent among failed sentences.
SELECT *
FROM suspicious_patterns
WHERE list_contains($submissions, submission_id)
    AND list_contains($signatures, signature)
    AND failure_rate > base_rate
ORDER BY suspicious DESC, suspicion DESC, pattern;

-- report_trees: one row per node of a suspicion tree.
SELECT *
FROM suspicion_trees
WHERE list_contains($submissions, submission_id) AND list_contains($signatures, signature)
ORDER BY labels, submission_id, node_no;

-- report_worst_sentences: one row per output: those with the lowest BLEU of each submission.
SELECT submission_id, sentence_no
FROM sentence_score
SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
WHERE metric = 'bleu' AND list_contains($submissions, submission_id) AND score < 1
QUALIFY row_number() OVER (PARTITION BY submission_id ORDER BY score, sentence_no) <= $shown
ORDER BY score, submission_id, sentence_no;
