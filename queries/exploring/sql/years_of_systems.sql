-- years_of_systems: one row per kind of systems, those of most years first: teams' systems or baselines, in how many years they are.
SELECT kind, count(DISTINCT year) AS years
FROM submission
JOIN system USING (system_id)
JOIN campaign USING (campaign_id)
WHERE year IS NOT NULL AND kind <> 'human'
GROUP BY kind
ORDER BY years DESC, kind = 'team' DESC;
