-- weak_relations: one row per relation of a submission, lowest DEA first, and whether it has edges enough.
SELECT deprel, dea, edges >= $min_edges AS frequent
FROM dea_by_relation
WHERE submission_id = $submission AND deprel IS NOT NULL
ORDER BY dea, deprel;
