-- drift_shared: one row per sentence that both versions have: its number in each. Reads drift_pair.
SELECT old_no, new_no
FROM drift_pair
WHERE old_no IS NOT NULL AND new_no IS NOT NULL
ORDER BY new_no;
