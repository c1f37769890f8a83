-- year_scores: one row per line of the temporary table year_entry, kind of system and measure: measures_by_year of a year.
SELECT line, system_kind AS "group", scores.*
FROM measures_by_year AS scores
JOIN year_entry USING (campaign_id, treebank_id, track)
WHERE list_contains($measures, measure) AND list_contains($kinds, kind)
ORDER BY ALL;
