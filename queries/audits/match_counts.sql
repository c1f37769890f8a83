-- match_counts: one row per output whose counts contradict each other, such as more matches than n-grams.
-- Of several references lengths are of one, or a mean, and matches may be of all.
WITH several AS (
    SELECT signature_id, true AS several FROM signature WHERE (parameters ->> 'references') IS NOT NULL
)
SELECT
    'ngram_match' AS result,  -- the table
    signature_id,             -- the signature
    submission_id,            -- the submission
    sentence_no               -- the sentence
FROM ngram_match
LEFT JOIN several USING (signature_id)
WHERE output_length < 0
    OR reference_length < 0
    OR len(matches) <> len(totals)
    OR totals[1] <> output_length
    OR NOT list_bool_and(list_transform(matches, lambda count, n:
        coalesce(
            count BETWEEN 0 AND least(
                totals[n],
                CASE WHEN several THEN totals[n] ELSE greatest(reference_length - n + 1, 0) END
            ),
            false
        )
    ))
    OR len(information) <> len(matches)
    OR NOT coalesce(list_bool_and(list_transform(information, lambda bits, n:
        coalesce(isfinite(bits) AND bits >= 0 AND (bits = 0 OR matches[n] > 0), false)
    )), true)
UNION ALL
SELECT 'edit_match', signature_id, submission_id, sentence_no
FROM edit_match
LEFT JOIN several USING (signature_id)
WHERE edits < 0
    OR several IS NULL AND edits NOT BETWEEN abs(output_length - reference_length)
        AND greatest(output_length, reference_length)
UNION ALL
SELECT 'edge_outcome', signature_id, submission_id, sentence_no FROM edge_outcome WHERE list_max(found) > 1
UNION ALL
SELECT 'part_match', signature_id, submission_id, sentence_no
FROM part_match
WHERE NOT list_bool_and(list_transform(statistics, lambda value: coalesce(isfinite(value), false)))
UNION ALL
SELECT 'statistic_match', signature_id, submission_id, sentence_no
FROM statistic_match
WHERE NOT list_bool_and(list_transform(statistics, lambda value: coalesce(isfinite(value), false)))
-- themes add rows here
;
