-- measures_by_year: one row per campaign with a year, test set, track, measure and kind of system: the best, the median and the rest of that year.
-- grain: campaign_id, treebank_id, track, measure, system_kind
-- reads: submission_measures
-- group: compare and follow
-- What a diachronic chart shows (Pratapa et al. 2021, Figures 5 and 6). Only the latest iteration of
-- each system counts, and what it lacks is not taken from an earlier one. Baselines are apart from
-- teams; human references are a column of their own.
CREATE OR REPLACE VIEW measures_by_year AS
WITH entry AS (
    SELECT
        submission_measures.*,
        CASE WHEN submission_measures.better = 'lower' THEN score ELSE -score END AS place,
        regexp_replace(signature.signature, '\|(checks:[^|]*|treebank:.*)', '', 'g') AS computed
    FROM submission_measures
    SEMI JOIN (FROM submission QUALIFY is_newest(submission)) AS newest USING (submission_id)
    LEFT JOIN signature USING (signature_id)
    WHERE year IS NOT NULL AND score IS NOT NULL
),
summary AS (
    SELECT
        year,
        campaign_id,
        language,
        treebank_id,
        track,
        kind,
        measure,
        item,
        better,
        system_kind,
        count(*) AS systems,
        min({
            place: place, submission_id: submission_id, system_id: system_id, score: score
        }) AS first_place,
        median(score) AS median,
        -- The mean in the submissions' order; avg(… ORDER BY …) sorts many small groups slowly.
        list_avg(list_transform(
            list_sort(list({submission_id: submission_id, score: score})), lambda run: run.score
        )) AS mean,
        max({place: place, submission_id: submission_id, score: score}).score AS worst,
        max(n) AS n,
        count(DISTINCT computed) AS signatures,
        min(computed) AS computed
    FROM entry
    GROUP BY ALL
)
SELECT
    year,                                                       -- year of the campaign
    campaign_id,                                                -- the campaign
    language,                                                   -- language of the test set
    treebank_id,                                                -- the test set that the scores rest on
    track,                                                      -- shallow, deep or any other name
    kind,                                                       -- metric, human, relation, pattern or a later kind
    measure,                                                    -- bleu, adequacy_z, dea[nsubj], suspicion[(conj cc)]
    item,                                                       -- the relation, the pattern or the criterion alone
    better,                                                     -- which is better: higher or lower
    system_kind,                                                -- whose scores: team or baseline
    systems,                                                    -- systems with a score, each by its latest iteration
    first_place.score AS best,                                  -- their best score
    first_place.system_id AS best_system_id,                    -- whose that is
    first_place.submission_id AS best_submission_id,            -- the submission
    median,                                                     -- their median
    mean,                                                       -- their mean
    worst,                                                      -- their worst score
    CASE
        WHEN better = 'lower' THEN min(first_place.score) FILTER (system_kind = 'human') OVER same_test
        ELSE max(first_place.score) FILTER (system_kind = 'human') OVER same_test
    END AS reference,                                           -- best score of a human reference; NULL where there is none
    n,                                                          -- sentences, or edges of the relation, that a score rests on at most
    signatures,                                                 -- ways the scores were computed: with more than 1 they are not all comparable
    CASE WHEN signatures = 1 THEN computed END AS signature     -- how they were computed, treebank left out; NULL where in several ways or unknown
FROM summary
WINDOW same_test AS (
    PARTITION BY year, campaign_id, language, treebank_id, kind, measure, item
)
QUALIFY system_kind <> 'human';
