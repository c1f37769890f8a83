-- sr18_table_2: one row per treebank: its sentences.
SELECT
    test_set_name(treebank.language, treebank.corpus, treebank.version) AS treebank,
    treebank.split,
    treebank.version,
    treebank.sentences
FROM treebank
WHERE NOT $selected OR treebank_id IN (
    SELECT treebank_id FROM submission WHERE list_contains($submissions, submission_id)
)
ORDER BY 1, treebank.version, treebank.split;

-- sr18_scores: one row per system's newest submission to a treebank: its score by a metric.
-- In the paper's units: BLEU and DIST in percent. Treebanks are named as the tasks name them, the deep track and, where
-- several are selected, the campaign with them. Late are runs with the tag late.
WITH scored AS (
    SELECT
        identity.*,
        mean_score.score * CASE WHEN $metric = 'nist' THEN 1 ELSE 100 END AS score,
        concat_ws(
            '_',
            test_set_name(treebank.language, treebank.corpus, treebank.version),
            CASE WHEN track = 'deep' THEN 'deep' END
        ) AS test_set
    FROM submission_identity AS identity
    JOIN treebank USING (treebank_id)
    JOIN current_scoring USING (submission_id)
    JOIN mean_score USING (submission_id, metric, signature_id)
    WHERE current_scoring.metric = $metric
        AND score IS NOT NULL
        AND list_contains($submissions, identity.submission_id)
    QUALIFY is_newest(identity)
)
SELECT
    system_id AS system,
    concat_ws(
        ' ', test_set, CASE WHEN (count(DISTINCT campaign_id) OVER ()) > 1 THEN campaign_id END
    ) AS language,
    score,
    coalesce(tags ->> 'late', '') NOT IN ('', 'no') AS late,
    system_kind = 'human' AS human
FROM scored
ORDER BY track = 'deep', 2, system_id;

-- sr18_people: one row per criterion and submission: its mean ratings, the best first.
-- Of campaigns whose annotators are tested by degraded copies ($controlled), or of the others.
SELECT
    ranking.language,
    ranking.criterion,
    ranking.system_id
    || CASE WHEN ranking.iteration > 1 THEN '@' || ranking.iteration ELSE '' END AS system,
    ranking.raw_mean AS mean,
    ranking.z_mean,
    ranking.sentences AS texts,
    ranking.assessments AS judgements,
    concat_ws('-', ranking.rank_from, nullif(ranking.rank_to, ranking.rank_from)) AS ranks,
    ranking.campaign_id AS campaign
FROM human_leaderboard AS ranking
WHERE chosen AND list_contains($submissions, submission_id)
    AND $controlled = (campaign_id IN (
        SELECT campaign_id FROM annotators WHERE tested_annotators > 0
    ))
ORDER BY language, campaign, criterion, place;

-- sr18_comparisons: one row per ordered pair of submissions and criterion: who is rated significantly higher.
SELECT *
FROM human_pairs
WHERE chosen AND list_contains($submissions, submission_id)
    AND list_contains($submissions, base_submission_id)
ORDER BY campaign_id, treebank_id, criterion, submission_id, base_submission_id;

-- sr18_quality: one row per campaign and criterion, and per campaign: how many annotators passed, and repeat themselves.
-- An annotator of several criteria counts in all where he passes by each, and repeats himself where he does by each.
WITH judged AS (
    SELECT
        campaign_id,
        criterion,
        annotator_id,
        passed,
        repeat_p_value >= 0.05 AS repeats_himself
    FROM annotators
    WHERE campaign_id IN (
        SELECT campaign_id FROM submission WHERE list_contains($submissions, submission_id)
    )
    UNION ALL
    SELECT
        campaign_id,
        'all',
        annotator_id,
        bool_and(passed),
        bool_and(repeat_p_value >= 0.05)
    FROM annotators
    WHERE campaign_id IN (
        SELECT campaign_id FROM submission WHERE list_contains($submissions, submission_id)
    )
    GROUP BY campaign_id, annotator_id
)
SELECT
    campaign_id AS campaign,
    criterion,
    count(*) AS annotators,
    count(passed) AS tested,
    100 * avg(passed::INTEGER) AS passed,
    100 * avg(repeats_himself::INTEGER) FILTER (WHERE passed) AS same_on_repeats
FROM judged
GROUP BY campaign_id, criterion
HAVING count(passed) > 0
ORDER BY campaign_id, criterion = 'all', criterion;

-- sr18_consistency: one row per campaign and criterion: how far those who count agree with themselves on repeats.
-- Pearson's r of repeats with their originals, the mean over HITs.
SELECT
    campaign_id AS campaign,
    criterion,
    units AS hits,
    judgements,
    agreement AS r
FROM agreement_of_annotators
WHERE kind = 'intra' AND annotators = 'all' AND agreement IS NOT NULL
    AND campaign_id IN (
        SELECT campaign_id FROM submission WHERE list_contains($submissions, submission_id)
    )
ORDER BY campaign_id, criterion;
