-- tacl2021_table_2: one row per treebank: how complex its trees are.
SELECT
    CASE
        WHEN treebank.version = '2.0' THEN treebank.language
        ELSE treebank.language || coalesce('_' || treebank.corpus, '')
    END AS treebank,
    treebank.version,
    (
        SELECT count(*)
        FROM submission
        WHERE submission.treebank_id = treebank.treebank_id
            AND list_contains($submissions, submission.submission_id)
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
ORDER BY treebank.version, 1;

-- tacl2021_figure_2a: one row per pair of measures: the median of their correlations over submissions.
SELECT *
FROM correlation_medians
WHERE method = 'spearman' AND unit = 'sentence' AND list_contains($measures, measure)
    AND list_contains($measures, other_measure);

-- tacl2021_figure_2b: one row per submission and pair of measures: their correlation over its sentences.
SELECT *
FROM correlations
WHERE method = 'spearman' AND unit = 'sentence' AND family = 'asked'
    AND submission_id = $submissions[1];

-- tacl2021_table_3: one row per submission whose treebank has enough non-projective sentences.
SELECT
    system_id AS team,
    treebank.language || coalesce('_' || treebank.corpus, '') AS treebank,
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
    max(non_projective) FILTER (WHERE metric = 'bleu_lemma') AS non_projective
FROM projectivity_tests
JOIN treebank USING (treebank_id)
WHERE list_contains($submissions, submission_id)
GROUP BY ALL
ORDER BY treebank, team;

-- tacl2021_entropy: one row per submission: how word-order freedom of relations goes with their accuracy.
SELECT
    system_id AS team,
    treebank.language || coalesce('_' || treebank.corpus, '') AS treebank,
    treebank_entropy.entropy_mean,
    correlations.n AS relations,
    correlations.coefficient AS rho,
    correlations.p_value
FROM correlations
JOIN treebank USING (treebank_id)
JOIN treebank_entropy USING (treebank_id)
WHERE unit = 'relation' AND method = 'spearman' AND list_contains($submissions, submission_id)
ORDER BY treebank, team;

-- tacl2021_table_4: one row per relation: how often its edges are realised, the least often first.
-- Edges are counted once a treebank, and once a submission, as the paper counts them.
SELECT
    macro.deprel,
    sum(of_relation.edges)::BIGINT AS edges,
    any_value(macro.edges) AS edges_in_treebanks,
    any_value(macro.submissions) AS submissions,
    100 * any_value(macro.dea) AS dea
FROM dea_by_relation_macro AS macro
JOIN dea_by_relation AS of_relation USING (deprel)
WHERE list_contains($submissions, of_relation.submission_id)
GROUP BY macro.deprel
ORDER BY dea, macro.deprel;

-- tacl2021_patterns: one row per subtree of the twenty that most suspicion trees split on.
-- Neighbours that are a conjunct with one other child are one row, (conj (X)), as in Table 5.
WITH ranked AS (
    SELECT
        row_number() OVER (ORDER BY coverage DESC, suspicion_mean DESC, pattern) AS rank,
        pattern,
        100 * coverage AS coverage,
        suspicion_mean,
        regexp_full_match(pattern, '\(conj \([a-z]+\)\)') AS of_conjunct
    FROM suspicion_tree_coverage
    WHERE labels = $labels AND metric = 'bleu_lemma'
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
    min(coverage) AS coverage_least,
    avg(suspicion_mean ORDER BY ranked_rank) AS suspicion_mean
FROM (SELECT *, rank AS ranked_rank FROM grouped)
GROUP BY place
ORDER BY min(ranked_rank);
