-- drift_changes: one row per kind of change, what was and what is: how many words (places, where words are cut
-- otherwise), and in how many sentences. Reads the temporary table drift_change.
SELECT
    kind,
    before,
    after,
    count(*)::INTEGER AS words,
    count(DISTINCT new_no)::INTEGER AS sentences
FROM drift_change
GROUP BY kind, before, after
ORDER BY kind, words DESC, before NULLS FIRST, after NULLS FIRST;
