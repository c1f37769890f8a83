-- form_and_people: one row per campaign, treebank, language model, criterion and texts: whether outputs that people accept are accepted by form.
-- grain: campaign_id, treebank_id, model, criterion, texts
-- reads: form_by_model
-- group: grammar and meaning
-- Opitz & Frank 2021, section 7.1 and Table 6. People accept an output whose mean rating is at least in the middle of the scale, which
-- reaches from the lowest to the highest rating of the campaign on the criterion. The human reference is left out.
CREATE OR REPLACE VIEW form_and_people AS
WITH rated AS (
    SELECT campaign_id, treebank_id, submission_id, sentence_no, criterion, raw_mean AS rating
    FROM human_score
    JOIN submission USING (submission_id)
    WHERE raw_mean IS NOT NULL
),
scale AS (
    SELECT campaign_id, criterion, min(rating) AS lowest, max(rating) AS highest
    FROM (
        SELECT campaign_id, criterion, rating FROM rated
        UNION ALL
        SELECT campaign_id, criterion, raw_score FROM judgement
    )
    GROUP BY ALL
),
judged AS (
    SELECT
        rated.*,
        lowest,
        highest,
        lowest < highest AS differs,
        rating >= (lowest + highest) / 2 AS accepted_by_people,
        bool_and(rating IN (lowest, highest)) OVER (PARTITION BY submission_id, sentence_no) AS at_the_ends
    FROM rated
    JOIN scale USING (campaign_id, criterion)
),
compared AS (
    SELECT
        judged.*,
        form_by_model.model,
        form.score = 1 AS accepted,
        unnest(CASE WHEN at_the_ends THEN ['all', 'poor or perfect'] ELSE ['all'] END) AS texts
    FROM judged
    JOIN form_by_model USING (submission_id)
    JOIN sentence_score AS form
        ON form.signature_id = form_by_model.signature_id
        AND form.submission_id = judged.submission_id
        AND form.sentence_no = judged.sentence_no
        AND form.metric = 'form'
    WHERE form.score IS NOT NULL AND form_by_model.system_kind <> 'human'
),
counted AS (
    SELECT
        campaign_id,
        treebank_id,
        model,
        criterion,
        texts,
        any_value(lowest) AS lowest,
        any_value(highest) AS highest,
        any_value(differs) AS differs,
        count(*) AS outputs,
        count_if(accepted)::BIGINT AS accepted,
        count_if(accepted_by_people)::BIGINT AS accepted_by_people,
        count_if(accepted AND accepted_by_people)::BIGINT AS accepted_by_both
    FROM compared
    GROUP BY ALL
)
SELECT
    campaign_id,                                          -- the campaign
    campaign.year,                                        -- its year
    treebank_id,                                          -- the treebank
    treebank.language,                                    -- its language
    model,                                                -- the language model, with versions and the hash of its files
    criterion,                                            -- what people rated
    texts,                                                -- all, or poor or perfect: rated lowest or highest on every criterion
    outputs,                                              -- outputs that have a rating and a form
    accepted,                                             -- those that the model accepts
    accepted_by_people,                                   -- those that people accept
    accepted_by_both,                                     -- those that both accept
    CASE WHEN differs THEN accepted_by_both / nullif(accepted, 0) END
        AS precision,                                     -- share of what the model accepts that people accept, 0 to 1
    CASE WHEN differs THEN accepted_by_both / nullif(accepted_by_people, 0) END
        AS recall,                                        -- share of what people accept that the model accepts
    CASE WHEN differs THEN 2 * accepted_by_both / nullif(accepted + accepted_by_people, 0) END
        AS f1,                                            -- their harmonic mean
    CASE WHEN differs THEN 2 * accepted_by_people / (outputs + accepted_by_people) END
        AS f1_of_all,                                     -- the F1 of who accepts every output: a model should be better
    lowest,                                               -- the lowest rating
    highest,                                              -- the highest
    CASE
        WHEN NOT differs THEN 'all ratings are the same'
        WHEN accepted + accepted_by_people = 0 THEN 'neither accepts an output'
    END AS undefined_reason                               -- why there is no F1
FROM counted
JOIN campaign USING (campaign_id)
JOIN treebank USING (treebank_id)
ORDER BY campaign_id, treebank_id, model, criterion, texts;
