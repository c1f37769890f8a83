-- mf_submissions: one row per submission that has a form, and meaning that it has: how both were computed, and by which step the later was.
-- S2match comes first, which is the Meaning of Opitz & Frank 2021, section 3.2.
SELECT
    submission_id,
    submission.treebank_id,
    treebank.sha256 AS treebank_sha256,
    submission.sha256 AS data_sha256,
    meaning.metric AS meaning,
    meaning_signature.signature_id AS meaning_id,
    meaning_signature.parameters AS meaning_parameters,
    meaning_signature.versions AS meaning_versions,
    form_signature.signature_id AS form_id,
    form_signature.parameters AS form_parameters,
    form_signature.versions AS form_versions,
    form_signature.text_level,
    greatest(meaning.revision, form.revision) AS revision
FROM current_scoring AS meaning
JOIN current_scoring AS form USING (submission_id)
JOIN submission USING (submission_id)
JOIN treebank USING (treebank_id)
JOIN signature AS meaning_signature
    ON meaning_signature.signature_id = meaning.signature_id
JOIN signature AS form_signature ON form_signature.signature_id = form.signature_id
WHERE form.metric = 'form' AND meaning.metric IN ('s2match', 'smatch')
ORDER BY submission_id, meaning.metric;
