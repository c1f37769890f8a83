-- families_by_year: one row per system family, campaign with a year, test set, track and measure: the family's best and newest score, and the change since the year before.
-- grain: family, campaign_id, treebank_id, track, measure
-- reads: submission_measures, year_test_sets
-- group: compare and follow
-- Families are what manifests declare: the systems of one team over the years. Only the latest
-- iteration of each system counts. What year_test_sets says was the test set before decides with
-- what a score is compared; on another test set the change is not the systems' alone.
CREATE OR REPLACE VIEW families_by_year AS
WITH summary AS (
    SELECT
        family,
        year,
        campaign_id,
        language,
        treebank_id,
        track,
        kind,
        measure,
        item,
        better,
        max(n) AS n,
        count(*) AS systems,
        arg_min(score, row(CASE WHEN better = 'lower' THEN score ELSE -score END, submission_id)) AS best,
        min({
            place: CASE WHEN better = 'lower' THEN score ELSE -score END,
            submission_id: submission_id,
            system_id: system_id
        }) AS first_place,
        arg_max(score, row(created_at, submission_id)) AS latest,
        max({created_at: created_at, submission_id: submission_id}) AS newest
    FROM submission_measures
    JOIN (SELECT submission_id, created_at FROM submission QUALIFY is_newest(submission)) AS newest
        USING (submission_id)
    WHERE family IS NOT NULL AND year IS NOT NULL AND score IS NOT NULL
    GROUP BY ALL
)
SELECT
    summary.family,                                        -- the family
    summary.year,                                          -- year of the campaign
    summary.campaign_id,                                   -- the campaign
    summary.language,                                      -- language of the test set
    summary.treebank_id,                                   -- the test set that the scores rest on
    summary.track,                                         -- shallow, deep or any other name
    summary.kind,                                          -- metric, human, relation, pattern or a later kind
    summary.measure,                                       -- bleu, adequacy_z, dea[nsubj], suspicion[(conj cc)]
    summary.item,                                          -- the relation, the pattern or the criterion alone
    summary.better,                                        -- which is better: higher or lower
    summary.systems,                                       -- the family's systems with a score, each by its latest iteration
    summary.best,                                          -- their best score
    summary.first_place.system_id AS best_system_id,       -- whose that is
    summary.first_place.submission_id AS best_submission_id,  -- the submission
    summary.latest,                                        -- the score of the newest of them
    summary.newest.submission_id AS latest_submission_id,  -- which that is
    summary.n,                                             -- sentences, or edges of the relation, that a score rests on at most
    test_set.previous_year,                                -- the year before
    previous.best AS previous_best,                        -- the best score then; NULL where the family has none
    CASE WHEN summary.kind <> 'human' THEN summary.best - previous.best END
        AS change,                                         -- the best score minus that; NULL for z-scores, whose campaigns are not comparable
    test_set.same_as_previous                              -- whether both rest on the same test set
FROM summary
JOIN year_test_sets AS test_set
    ON test_set.campaign_id = summary.campaign_id
    AND test_set.treebank_id = summary.treebank_id
LEFT JOIN summary AS previous
    ON previous.campaign_id = test_set.previous_campaign_id
    AND previous.treebank_id = test_set.previous_treebank_id
    AND previous.family = summary.family
    AND previous.track = summary.track
    AND previous.measure = summary.measure;
