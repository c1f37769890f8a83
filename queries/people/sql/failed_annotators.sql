-- failed_annotators: one row per annotator and criterion of a campaign that failed quality control.
SELECT
    annotator_id, criterion, reason, degraded_difference, degraded_pairs, degraded_p_value,
    repeat_difference, repeat_pairs, reference_mean, references_judged
FROM annotator_quality
WHERE campaign_id = $campaign AND list_contains($criteria, criterion) AND NOT passed
ORDER BY criterion, annotator_id;
