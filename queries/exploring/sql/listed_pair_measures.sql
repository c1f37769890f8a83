-- listed_pair_measures: one row per measure and submission: its score and that of a base, where they were computed alike and one has a score.
WITH alike AS (
    SELECT own.target AS submission_id, metric, signature_id
    FROM scoring AS own
    JOIN scoring AS other USING (metric, signature_id)
    ANTI JOIN passed_over_signature USING (signature_id)
    WHERE list_contains($submissions, own.target) AND other.target = $base
    QUALIFY row_number() OVER (PARTITION BY own.target, metric ORDER BY own.revision DESC) = 1
),
measured AS (
    SELECT metric AS measure, submission_id, other.score AS base, own.score, own.sentences
    FROM alike
    JOIN mean_score AS own USING (submission_id, metric, signature_id)
    JOIN mean_score AS other USING (metric, signature_id)
    WHERE other.submission_id = $base AND coalesce(own.score, other.score) IS NOT NULL
    UNION ALL
    SELECT own.criterion || '_z', own.submission_id, other.z_mean, own.z_mean, own.sentences
    FROM human_criterion_means AS own
    JOIN human_criterion_means AS other USING (campaign_id, treebank_id, criterion)
    WHERE list_contains($submissions, own.submission_id) AND other.submission_id = $base
        AND own.z_mean IS NOT NULL AND other.z_mean IS NOT NULL
)
SELECT measure, submission_id, base, score, score - base AS change, sentences
FROM measured
ORDER BY list_position($measures, measure) NULLS LAST, measure, submission_id;
