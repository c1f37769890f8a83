-- drift_twins: one row per model run whose outputs are for both versions: the same system, campaign, track and
-- iteration, and whether its outputs for the shared sentences are the same texts. Reads drift_pair.
SELECT
    old.submission_id AS old_submission_id,
    new.submission_id AS new_submission_id,
    coalesce(
        bool_and(nfc_normalize(old_output.text) IS NOT DISTINCT FROM nfc_normalize(new_output.text)),
        false
    ) AS same_outputs
FROM submission AS old
JOIN submission AS new
    ON new.campaign_id = old.campaign_id
    AND new.system_id = old.system_id
    AND new.track = old.track
    AND new.iteration = old.iteration
JOIN drift_pair ON old_no IS NOT NULL AND new_no IS NOT NULL
JOIN output AS old_output
    ON old_output.submission_id = old.submission_id AND old_output.sentence_no = old_no
JOIN output AS new_output
    ON new_output.submission_id = new.submission_id AND new_output.sentence_no = new_no
WHERE old.treebank_id = $old AND new.treebank_id = $new
GROUP BY ALL
ORDER BY ALL;
