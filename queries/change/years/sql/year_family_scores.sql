-- year_family_scores: one row per line of the temporary table year_entry, family of systems and measure: families_by_year of a year.
SELECT line, 'family ' || family AS "group", scores.*
FROM families_by_year AS scores
JOIN year_entry USING (campaign_id, treebank_id, track)
WHERE list_contains($measures, measure) AND list_contains($kinds, kind)
ORDER BY ALL;
