-- form_before: one row, the reference form of a run's parent, else of the system's nearest iteration on the same track.
SELECT reference_form
FROM submission
WHERE
    treebank_id = $treebank
    AND submission_id <> $own
    AND (
        submission_id = $parent
        OR (campaign_id = $campaign AND system_id = $system AND track = $track)
    )
ORDER BY submission_id = $parent DESC NULLS LAST, abs(iteration - $iteration), iteration
LIMIT 1;
