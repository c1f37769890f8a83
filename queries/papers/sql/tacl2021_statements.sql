-- tacl2021_preferred_analyses: lets the analyses with some settings be the newest, which are those that views show.
UPDATE analysis SET revision = next_revision()
WHERE list_contains($settings, settings)
    AND (signature_id, submission_id) IN (SELECT (signature_id, submission_id) FROM current_analysis);

-- tacl2021_table_2: one row per treebank: how complex its trees are.
SELECT
    test_set_name(treebank.language, treebank.corpus, treebank.version) AS treebank,
    treebank.version,
    treebank.split,
    (
        SELECT count(*)
        FROM submission_identity
        WHERE submission_identity.treebank_id = treebank.treebank_id
            AND system_kind <> 'human'
            AND list_contains($submissions, submission_id)
    ) AS submissions_here,
    treebank.sentences,
    depth_mean,
    depth_sd,
    length_mean,
    length_sd,
    mdd_mean,
    mdd_sd,
    mfs_mean,
    mfs_sd,
    mfw_mean,
    mfw_sd,
    arity_mean,
    arity_sd,
    nonprojective_percent AS non_projective
FROM treebank_complexity
JOIN treebank USING (treebank_id)
WHERE convention = 'tacl2021' AND (
        NOT $selected
        OR treebank_id IN (
            SELECT treebank_id FROM submission WHERE list_contains($submissions, submission_id)
        )
    )
ORDER BY treebank.version, 1, treebank.split;

-- tacl2021_figure_2a: one row per pair of measures: the median of their correlations over submissions.
SELECT *
FROM correlation_medians
WHERE method = 'spearman' AND unit = 'sentence' AND list_contains($measures, measure)
    AND list_contains($measures, other_measure)
ORDER BY list_position($measures, measure), list_position($measures, other_measure);

-- tacl2021_figure_2b: one row per submission and pair of measures: their correlation over its sentences.
-- Of several the first submission that is of a system, not of people, and has such a correlation.
SELECT *
FROM measure_correlations
WHERE method = 'spearman' AND unit = 'sentence' AND family = 'asked'
    AND submission_id = (
        SELECT submission_id
        FROM selected_submissions
        SEMI JOIN (
            FROM measure_correlations
            WHERE family = 'asked' AND unit = 'sentence' AND coefficient IS NOT NULL
        ) USING (submission_id)
        WHERE system_kind <> 'human'
        ORDER BY system_kind <> 'team', list_position($submissions, submission_id)
        LIMIT 1
    )
ORDER BY measure, other_measure;

-- tacl2021_table_3: one row per submission whose treebank has enough non-projective sentences.
-- A campaign is named where there are several; iterations where all of them are selected.
WITH listed AS (
    SELECT
        submission_id,
        treebank_id,
        system_id || CASE WHEN counting <> 'newest' THEN '@' || iteration ELSE '' END AS team,
        test_set_name(entry.language, treebank.corpus, treebank.version) AS treebank,
        CASE WHEN (count(DISTINCT campaign_id) OVER ()) > 1 THEN campaign_id END AS campaign
    FROM selected_submissions AS entry
    JOIN treebank USING (treebank_id)
    WHERE system_kind <> 'human'
    QUALIFY counting <> 'newest' OR is_newest(entry)
)
SELECT
    team,
    listed.treebank,
    max(projective_median) FILTER (WHERE metric = 'bleu_lemma') AS bleu_projective,
    max(non_projective_median) FILTER (WHERE metric = 'bleu_lemma') AS bleu_non_projective,
    max(p_value) FILTER (WHERE metric = 'bleu_lemma') AS bleu_p,
    max(projective_median) FILTER (WHERE metric = 'fluency_z') AS fluency_projective,
    max(non_projective_median) FILTER (WHERE metric = 'fluency_z') AS fluency_non_projective,
    max(p_value) FILTER (WHERE metric = 'fluency_z') AS fluency_p,
    max(projective_median) FILTER (WHERE metric = 'adequacy_z') AS adequacy_projective,
    max(non_projective_median) FILTER (WHERE metric = 'adequacy_z') AS adequacy_non_projective,
    max(p_value) FILTER (WHERE metric = 'adequacy_z') AS adequacy_p,
    max(projective) FILTER (WHERE metric = 'bleu_lemma') AS projective,
    max(non_projective) FILTER (WHERE metric = 'bleu_lemma') AS non_projective,
    campaign
FROM listed
JOIN projectivity_effects USING (submission_id)
GROUP BY listed.submission_id, team, listed.treebank, campaign
ORDER BY listed.treebank, team, campaign;

-- tacl2021_entropy: one row per submission: how word-order freedom of relations goes with their accuracy.
WITH listed AS (
    SELECT
        submission_id,
        treebank_id,
        system_id || CASE WHEN counting <> 'newest' THEN '@' || iteration ELSE '' END AS team,
        test_set_name(entry.language, treebank.corpus, treebank.version) AS treebank,
        CASE WHEN (count(DISTINCT campaign_id) OVER ()) > 1 THEN campaign_id END AS campaign
    FROM selected_submissions AS entry
    JOIN treebank USING (treebank_id)
    WHERE system_kind <> 'human'
    QUALIFY counting <> 'newest' OR is_newest(entry)
)
SELECT
    team,
    listed.treebank,
    treebank_entropy.entropy_mean,
    correlations.n AS relations,
    correlations.coefficient AS rho,
    correlations.p_value,
    campaign
FROM listed
JOIN measure_correlations AS correlations USING (submission_id)
JOIN treebank_entropy ON treebank_entropy.treebank_id = listed.treebank_id
WHERE unit = 'relation' AND method = 'spearman'
ORDER BY listed.treebank, team, campaign;

-- tacl2021_table_4: one row per relation: how often its edges are realised, the least often first.
-- Edges are counted over the submissions that count, as the paper counts them, and once a treebank.
WITH counted AS (
    SELECT dea_by_relation.*
    FROM dea_by_relation
    JOIN selected_submissions AS entry USING (submission_id)
    QUALIFY who_counts(entry, 0)
)
SELECT
    macro.deprel,
    sum(counted.edges)::BIGINT AS edges,
    any_value(macro.edges) AS edges_in_treebanks,
    any_value(macro.submissions) AS submissions,
    100 * any_value(macro.dea) AS dea
FROM dea_by_relation_macro AS macro
JOIN counted USING (deprel)
GROUP BY macro.deprel
ORDER BY dea, macro.deprel;

-- tacl2021_patterns: one row per subtree of the twenty that most suspicion trees split on.
-- Single words are left out, as in the paper, which is about constructions. Neighbours that are a conjunct with one
-- other child are one row, (conj (X)), as in Table 5.
WITH ranked AS (
    SELECT
        row_number() OVER (ORDER BY coverage DESC, suspicion_mean DESC, pattern) AS rank,
        pattern,
        100 * coverage AS coverage,
        suspicion_mean,
        regexp_full_match(pattern, '\(conj \([a-z]+\)\)') AS of_conjunct
    FROM suspicion_tree_coverage
    WHERE labels = $labels AND contains(pattern, ' (')
        AND settings = 'labels:' || $labels || '|fail:bleu_lemma<=q0.25|nodes:3|support:1'
    QUALIFY rank <= 20
),
grouped AS (
    SELECT *, sum((NOT of_conjunct OR NOT before)::INTEGER) OVER (ORDER BY rank) AS place
    FROM (SELECT *, coalesce(lag(of_conjunct) OVER (ORDER BY rank), false) AS before FROM ranked)
)
SELECT
    CASE WHEN count(*) > 1 THEN min(rank) || '-' || max(rank) ELSE min(rank)::VARCHAR END AS rank,
    CASE WHEN count(*) > 1 THEN '(conj (X))' ELSE any_value(pattern) END AS pattern,
    max(coverage) AS coverage,
    nullif(min(coverage), max(coverage)) AS coverage_least,
    avg(suspicion_mean ORDER BY ranked_rank) AS suspicion_mean
FROM (SELECT *, rank AS ranked_rank FROM grouped)
GROUP BY place
ORDER BY min(ranked_rank);
