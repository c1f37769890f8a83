-- form_of_sentences: one row per output and language model: how probable it and its reference are, and how far the model prefers it.
-- grain: submission_id, model, sentence_no
-- reads: form_by_model, submission_identity
-- group: grammar and meaning
-- Opitz & Frank 2021, section 3.3, and footnote 6: prefScore tells more of a single sentence than whether it is accepted.
CREATE OR REPLACE VIEW form_of_sentences AS
SELECT
    identity.* EXCLUDE (params, tags),
    form.sentence_no,                            -- the sentence
    sentence.sent_id,                            -- its id
    scored.model,                                -- the language model, with versions and the hash of its files
    generated.probability,                       -- mean probability of the output's tokens, 0 to 1
    reference.probability
        AS reference_probability,                -- the same of the reference
    CASE
        WHEN form.score IS NULL THEN NULL
        ELSE coalesce(generated.probability / nullif(generated.probability + reference.probability, 0), 0)
    END AS preference,                           -- prefScore: the output's share of both, 0 to 1; above a half it is preferred, 0 without an output
    form.score AS accepted,                      -- 1 where that is a half less the tolerance or more, else 0
    scored.tolerance,                            -- how far below one half it may lie
    form.undefined_reason,                       -- why there is none
    scored.signature_id,                         -- how it was computed
    identity.params,
    identity.tags
FROM form_by_model AS scored
JOIN submission_identity AS identity USING (submission_id)
JOIN submission USING (submission_id)
JOIN sentence_score AS form
    ON form.signature_id = scored.signature_id
    AND form.submission_id = scored.submission_id
    AND form.metric = 'form'
LEFT JOIN sentence
    ON sentence.treebank_id = identity.treebank_id
    AND sentence.sentence_no = form.sentence_no
LEFT JOIN output_probability AS generated
    ON generated.submission_id = scored.submission_id
    AND generated.model = scored.model
    AND generated.sentence_no = form.sentence_no
LEFT JOIN reference_probability AS reference
    ON reference.treebank_id = identity.treebank_id
    AND reference.reference_form = submission.reference_form
    AND reference.model = scored.model
    AND reference.sentence_no = form.sentence_no
ORDER BY identity.campaign_id, identity.treebank_id, scored.model, identity.submission_id, form.sentence_no;
