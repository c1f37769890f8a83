-- projectivity_groups: one row per submission at hand and measure: scores of projective sentences and of the others.
-- By the $convention's projectivity. Left out are treebanks with at most $minimum_share of non-projective sentences, and metrics
-- derived from another one's counts ($derived).
WITH freer AS (
    SELECT treebank_id
    FROM sentence_complexity
    SEMI JOIN pending_analysis USING (treebank_id)
    WHERE convention = $convention
    GROUP BY treebank_id
    HAVING avg((NOT projective)::INTEGER) > $minimum_share
)
SELECT
    submission_id, measure AS metric,
    coalesce(list(score ORDER BY sentence_no) FILTER (WHERE projective), []) AS projective,
    coalesce(list(score ORDER BY sentence_no) FILTER (WHERE NOT projective), []) AS non_projective
FROM analysed_score
JOIN pending_analysis USING (submission_id)
SEMI JOIN freer USING (treebank_id)
JOIN sentence_complexity USING (treebank_id, sentence_no)
WHERE convention = $convention
    AND score IS NOT NULL
    AND NOT list_contains($derived, measure)
GROUP BY submission_id, measure
ORDER BY submission_id, measure;
