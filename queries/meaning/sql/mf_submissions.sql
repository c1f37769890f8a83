-- mf_submissions: one row per submission that has a meaning and a form: how both were computed, and by which step the later was.
-- S2match is the meaning where it was computed, as in Opitz & Frank 2021, section 3.2; else Smatch is.
WITH meaning AS (
    SELECT submission_id, arg_min(current_scoring, metric) AS scoring
    FROM current_scoring
    WHERE metric IN ('s2match', 'smatch')
    GROUP BY submission_id
)
SELECT
    submission_id,
    submission.treebank_id,
    treebank.sha256 AS treebank_sha256,
    submission.sha256 AS data_sha256,
    meaning.scoring.metric AS meaning,
    meaning_signature.signature_id AS meaning_id,
    meaning_signature.parameters AS meaning_parameters,
    meaning_signature.versions AS meaning_versions,
    form_signature.signature_id AS form_id,
    form_signature.parameters AS form_parameters,
    form_signature.versions AS form_versions,
    form_signature.text_level,
    greatest(meaning.scoring.revision, form.revision) AS revision
FROM meaning
JOIN current_scoring AS form USING (submission_id)
JOIN submission USING (submission_id)
JOIN treebank USING (treebank_id)
JOIN signature AS meaning_signature
    ON meaning_signature.signature_id = meaning.scoring.signature_id
JOIN signature AS form_signature ON form_signature.signature_id = form.signature_id
WHERE form.metric = 'form'
ORDER BY submission_id;
