-- form_preferences: one row per two submissions, language model and criterion: whether people prefer the outputs that the model finds more probable.
-- grain: submission_id, base_submission_id, model, criterion
-- reads: submission_identity
-- group: grammar and meaning
-- Opitz & Frank 2021, section 5.2. Outputs for one sentence that are equally probable, or rated alike, are ties.
CREATE OR REPLACE VIEW form_preferences AS
WITH output_both AS (
    SELECT
        identity.campaign_id,
        identity.treebank_id,
        identity.submission_id,
        sentence_no,
        model,
        probability,
        criterion,
        raw_mean AS rating
    FROM output_probability
    JOIN human_score USING (submission_id, sentence_no)
    JOIN submission_identity AS identity USING (submission_id)
    WHERE probability IS NOT NULL AND raw_mean IS NOT NULL
),
preference AS (
    SELECT
        one.submission_id,
        base.submission_id AS base_submission_id,
        one.model,
        one.criterion,
        sign(one.probability - base.probability) AS of_model,
        sign(one.rating - base.rating) AS of_people
    FROM output_both AS one
    JOIN output_both AS base USING (campaign_id, treebank_id, sentence_no, model, criterion)
    WHERE one.submission_id < base.submission_id
),
counted AS (
    SELECT
        submission_id,
        base_submission_id,
        model,
        criterion,
        count_if(of_model * of_people <> 0)::BIGINT AS pairs,
        count_if(of_model * of_people > 0)::BIGINT AS agreed,
        count_if(of_model * of_people = 0)::BIGINT AS ties,
        count_if(of_model > 0 AND of_people <> 0)::BIGINT AS preferred_by_model,
        count_if(of_people > 0 AND of_model <> 0)::BIGINT AS preferred_by_people
    FROM preference
    GROUP BY ALL
)
SELECT
    identity.* EXCLUDE (params, tags),
    base_submission_id,                                   -- another submission to the same treebank, later in the alphabet
    model,                                                -- the language model, with versions and the hash of its files
    criterion,                                            -- what people rated
    pairs,                                                -- sentences of which both prefer one of the two outputs
    agreed,                                               -- those of which both prefer the same
    agreed / nullif(pairs, 0) AS agreement,               -- their share, 0 to 1
    CASE WHEN pairs > 0 THEN mcnemar_exact(agreed, pairs - agreed) END
        AS p_value,                                       -- two-sided binomial test of a half
    preferred_by_model,                                   -- pairs of which the model prefers the submission's
    preferred_by_people,                                  -- pairs of which people do
    ties,                                                 -- sentences of which the model, or people, prefer neither
    CASE WHEN pairs = 0 THEN 'there are ties alone' END
        AS undefined_reason,                              -- why there is no agreement
    base_submission_id AS other_submission_id,            -- deprecated: base_submission_id
    identity.params,
    identity.tags
FROM counted
JOIN submission_identity AS identity USING (submission_id)
ORDER BY identity.campaign_id, identity.treebank_id, model, criterion, submission_id, base_submission_id;
