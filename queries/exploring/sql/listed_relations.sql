-- listed_relations: one row per relation of a submission: how often it is found, and how often another submission finds it.
SELECT
    ours.deprel,
    ours.edges,
    ours.dea,
    base.dea AS base_dea,
    ours.dea - base.dea AS change,
    round((1 - ours.dea) * ours.edges)::BIGINT AS missed
FROM dea_by_relation AS ours
LEFT JOIN dea_by_relation AS base ON base.deprel = ours.deprel AND base.submission_id = $base
WHERE ours.submission_id = $submission
ORDER BY missed DESC, ours.deprel;
