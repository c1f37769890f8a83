-- year_family_scores: one row per line of the temporary table year_entry, family of systems and measure: families_by_year of a year.
SELECT line, 'family ' || family AS "group", scores.*
FROM families_by_year AS scores
JOIN year_entry USING (campaign_id, treebank_id, track)
WHERE list_contains($measures, measure) AND list_contains($kinds, kind)
ORDER BY ALL;

-- year_metric_groups: one row per metric and submission whose score is to be computed from shared sentences.
SELECT line, treebank_id, measure, signature_id, submission_id
FROM year_measure
WHERE line_is_shared AND kind = 'metric' AND score IS NOT NULL
ORDER BY ALL;

-- year_scores: one row per line of the temporary table year_entry, kind of system and measure: measures_by_year of a year.
SELECT line, system_kind AS "group", scores.*
FROM measures_by_year AS scores
JOIN year_entry USING (campaign_id, treebank_id, track)
WHERE list_contains($measures, measure) AND list_contains($kinds, kind)
ORDER BY ALL;

-- year_undefined_measures: one row per measure that is undefined on the shared sentences of every line.
SELECT year_measure.measure
FROM year_measure
SEMI JOIN year_sentence USING (line)
JOIN shared_measures AS shared USING (submission_id, measure)
WHERE line_is_shared AND year_measure.score IS NOT NULL
GROUP BY year_measure.measure
HAVING count(shared.score) = 0
ORDER BY year_measure.measure;
