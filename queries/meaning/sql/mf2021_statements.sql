-- mf2021_table_1: one row per system and measure: its score in percent, and its place.
-- Each system by its newest submission; the upper bound is that of the Meaning, with a Form of 1. Metrics of which no score is above 1
-- are taken for shares.
WITH scored AS (
    SELECT *
    FROM mf_scores
    WHERE list_contains($submissions, submission_id)
    QUALIFY iteration = max(iteration) OVER (PARTITION BY campaign_id, system_id, treebank_id)
),
bound AS (
    SELECT
        scored.campaign_id,
        scored.treebank_id,
        scored.parser,
        any_value(upper_precision) AS precision,
        any_value(upper_recall) AS recall,
        any_value(upper_bound) AS meaning
    FROM scored
    JOIN meaning_scores AS meaning
        ON meaning.submission_id = scored.submission_id
        AND meaning.metric = scored.measure
        AND meaning.parser = scored.parser
    WHERE upper_bound IS NOT NULL
    GROUP BY ALL
),
text_metric (number, metric, measure) AS (
    VALUES (1, 'bleu', 'BLEU'), (2, 'meteor', 'METEOR'), (3, 'chrf_plusplus', 'chrF++'), (4, 'bertscore', 'BERTScore')
),
measured AS (
    SELECT
        scored.campaign_id,
        scored.treebank_id,
        scored.system_id,
        scored.system_kind = 'human' AS apart,
        {
            'number': text_metric.number,
            'measure': text_metric.measure,
            'score': text.score * if(max(abs(text.score)) OVER (PARTITION BY metric) <= 1, 100, 1)
        } AS item
    FROM scored
    JOIN submission_metrics AS text USING (submission_id)
    JOIN text_metric USING (metric)
    UNION ALL
    SELECT
        campaign_id,
        treebank_id,
        system_id,
        apart,
        unnest([
            {'number': 5, 'measure': 'Meaning P', 'score': 100 * precision},
            {'number': 6, 'measure': 'Meaning R', 'score': 100 * recall},
            {'number': 7, 'measure': 'Meaning', 'score': 100 * meaning},
            {'number': 8, 'measure': 'Form', 'score': 100 * form},
            {'number': 9, 'measure': 'MF', 'score': 100 * mf(meaning, form, 1)},
            {'number': 10, 'measure': 'MF 0.5', 'score': 100 * mf(meaning, form, 0.5)}
        ])
    FROM (
        SELECT campaign_id, treebank_id, system_id, system_kind = 'human' AS apart, precision, recall, meaning, form
        FROM scored
        UNION ALL
        SELECT campaign_id, treebank_id, 'apprUB (' || parser || ')', true, precision, recall, meaning, 1
        FROM bound
    )
)
SELECT
    name_among(system_id, treebank_id, campaign_id) AS system,
    item.measure AS measure,
    item.score AS score,
    if(apart OR item.score IS NULL OR item.measure IN ('Meaning P', 'Meaning R'), NULL, rank() OVER (
        PARTITION BY campaign_id, treebank_id, item.measure, apart
        ORDER BY round(item.score, 10) DESC NULLS LAST
    )) AS place,
    apart
FROM measured
ORDER BY item.number, campaign_id, treebank_id, system_id;

-- mf2021_table_2: one row per two measures: how alike they score the systems, in percent.
WITH named (number, metric, measure) AS (
    VALUES
    (1, 'bleu', 'BLEU'), (2, 'bertscore', 'BERTScore'), (3, 's2match', 'Meaning'), (3, 'smatch', 'Meaning'),
    (4, 'form', 'Form'), (5, 'mf_1', 'MF'), (6, 'mf_0.5', 'MF 0.5')
),
meaning AS (
    SELECT DISTINCT campaign_id, treebank_id, measure AS metric
    FROM mf_scores
    WHERE list_contains($submissions, submission_id)
),
scored AS (
    SELECT campaign_id, treebank_id, string_agg(DISTINCT system_id, ', ' ORDER BY system_id) AS systems
    FROM mf_scores
    WHERE list_contains($submissions, submission_id) AND system_kind <> 'human'
    GROUP BY ALL
),
paired AS (
    SELECT
        correlations.*,
        one,
        other
    FROM mf_correlations AS correlations
    JOIN named AS one ON one.metric = correlations.metric
    JOIN named AS other ON other.metric = correlations.other_metric
)
SELECT
    if(one.number < other.number, one, other).measure AS measure,
    if(one.number < other.number, other, one).measure AS other_measure,
    100 * pearson AS pearson,
    100 * spearman AS spearman,
    scored.systems,
    paired.systems AS n,
    undefined_reason,
    treebank_id AS treebank,
    campaign_id AS campaign
FROM paired
JOIN scored USING (campaign_id, treebank_id)
WHERE one.number <> other.number
    AND (one.measure <> 'Meaning' OR (campaign_id, treebank_id, one.metric) IN (FROM meaning))
    AND (other.measure <> 'Meaning' OR (campaign_id, treebank_id, other.metric) IN (FROM meaning))
ORDER BY campaign_id, treebank_id, least(one.number, other.number), greatest(one.number, other.number);

-- mf2021_table_3: one row per system and part of the fine-grained scores of four aspects of meaning, in percent.
WITH aspect_named (number, aspect, name) AS (
    VALUES
    (1, 'reentrancies', 'Reentrancies'), (2, 'srl', 'SRL'), (3, 'negation', 'Negation'), (4, 'named_entities', 'NER')
),
scored AS (
    SELECT *
    FROM fine_grained_scores
    WHERE list_contains($submissions, submission_id)
    QUALIFY iteration = max(iteration) OVER (PARTITION BY campaign_id, system_id, treebank_id)
),
scored_or_bound AS (
    SELECT campaign_id, treebank_id, system_id, system_kind = 'human' AS apart, aspect, precision, recall, f1
    FROM scored
    UNION ALL
    SELECT used.campaign_id, treebank_id, 'apprUB (' || parser || ')', true, aspect, precision, recall, f1
    FROM fine_grained_scores
    JOIN (SELECT DISTINCT campaign_id, treebank_id, signature_id FROM scored) AS used
        USING (treebank_id, signature_id)
    WHERE submission_id IS NULL
),
measured AS (
    SELECT
        *,
        unnest([
            {'part': 1, 'label': 'P', 'score': precision},
            {'part': 2, 'label': 'R', 'score': recall},
            {'part': 3, 'label': 'F1', 'score': f1}
        ]) AS item
    FROM scored_or_bound
    JOIN aspect_named USING (aspect)
)
SELECT
    name_among(system_id, treebank_id, campaign_id) AS system,
    name || ' ' || item.label AS measure,
    100 * item.score AS score,
    apart
FROM measured
ORDER BY number, item.part, campaign_id, treebank_id, system_id;

-- mf2021_table_4: one row per system, parser and measure: Meaning and MF-score by other parsers, or of good parses alone, in percent.
-- Systems with equal scores share the mean of their places, as in the paper's table.
WITH scored AS (
    SELECT
        *,
        parser || coalesce(' ≥ ' || quality, '') AS label,
        system_kind = 'human' AS apart
    FROM meaning_by_parser
    WHERE list_contains($submissions, submission_id)
    QUALIFY iteration = max(iteration) OVER (PARTITION BY campaign_id, system_id, treebank_id)
        AND metric = max(metric) OVER (PARTITION BY campaign_id, treebank_id, parser, quality)
),
measured AS (
    SELECT
        campaign_id,
        treebank_id,
        system_id,
        label,
        apart,
        unnest([
            {'number': 1, 'measure': 'Meaning', 'score': 100 * f1},
            {'number': 2, 'measure': 'MF 0.5', 'score': 100 * mf_05}
        ]) AS item
    FROM scored
    UNION ALL
    SELECT DISTINCT
        campaign_id, treebank_id, 'apprUB', label, true,
        {'number': 1, 'measure': 'Meaning', 'score': 100 * upper_bound}
    FROM scored
    WHERE upper_bound IS NOT NULL
)
SELECT
    name_among(system_id, treebank_id, campaign_id) AS system,
    label || ': ' || item.measure AS measure,
    item.score AS score,
    if(apart OR item.score IS NULL, NULL, mean_rank(-item.score, row(campaign_id, treebank_id, label, item.number, apart))) AS place,
    apart
FROM measured
ORDER BY item.number, label, campaign_id, treebank_id, system_id;

-- mf2021_table_5: one row per language model and system: the share of its outputs that are of acceptable form, in percent.
WITH scored AS (
    SELECT *
    FROM form_by_model
    WHERE list_contains($submissions, submission_id)
    QUALIFY iteration = max(iteration) OVER (PARTITION BY campaign_id, system_id, treebank_id)
)
SELECT
    regexp_replace(model, '^given/', '') AS model,
    name_among(system_id, treebank_id, campaign_id) AS system,
    100 * form AS score,
    if(form IS NULL, NULL, rank() OVER (
        PARTITION BY campaign_id, treebank_id, model ORDER BY round(form, 12) DESC NULLS LAST
    )) AS place
FROM scored
ORDER BY model, campaign_id, treebank_id, system_id;

-- mf2021_dependence: one row per measure and two parsers, bounds of quality or language models: how alike they score the systems.
SELECT
    CASE measure WHEN 'form' THEN 'Form' WHEN 'mf_0.5' THEN 'MF 0.5' WHEN 'mf_1' THEN 'MF' ELSE 'Meaning' END AS measure,
    regexp_replace(setting, '^given/', '') AS setting,
    regexp_replace(other_setting, '^given/', '') AS other_setting,
    pearson,
    spearman,
    systems,
    moved,
    100 * difference AS difference,
    undefined_reason,
    treebank_id AS treebank,
    campaign_id AS campaign
FROM mf_dependence
WHERE measure <> 'mf_1'
QUALIFY metric = max(metric) OVER (PARTITION BY campaign_id, treebank_id, metric = 'form', mf_dependence.setting, mf_dependence.other_setting)
ORDER BY campaign_id, treebank_id, metric = 'form', measure = 'mf_0.5', setting, other_setting;

-- mf2021_table_6: one row per language model, criterion and texts: the F1 of its acceptance of outputs against people's.
SELECT
    regexp_replace(model, '^given/', '') AS model,
    criterion,
    texts,
    f1,
    precision,
    recall,
    f1_of_all,
    outputs,
    treebank_id AS treebank,
    campaign_id AS campaign
FROM form_and_people
WHERE (campaign_id, treebank_id) IN (
    SELECT (campaign_id, treebank_id) FROM submission WHERE list_contains($submissions, submission_id)
)
ORDER BY campaign_id, treebank_id, model, criterion DESC, texts DESC;

-- mf2021_preferences: one row per two systems, language model and criterion: whether people prefer what the model prefers.
SELECT
    preferences.system_id AS system,
    other.system_id AS other_system,
    regexp_replace(model, '^given/', '') AS model,
    criterion,
    pairs,
    agreed,
    agreement,
    p_value,
    ties,
    preferences.treebank_id AS treebank,
    preferences.campaign_id AS campaign
FROM form_preferences AS preferences
JOIN submission AS other ON other.submission_id = preferences.base_submission_id
WHERE list_contains($submissions, preferences.submission_id)
    AND list_contains($submissions, other.submission_id)
ORDER BY campaign, treebank, model, criterion, system, other_system;

-- mf2021_figure: one row per system, and one for each upper bound: its Meaning and Form, 0 to 1.
SELECT
    name_among(system_id, treebank_id, campaign_id) AS system,
    meaning,
    form,
    apart
FROM (
    SELECT campaign_id, treebank_id, system_id, meaning, form, false AS apart
    FROM mf_scores
    WHERE list_contains($submissions, submission_id)
    QUALIFY iteration = max(iteration) OVER (PARTITION BY campaign_id, system_id, treebank_id)
    UNION ALL
    SELECT DISTINCT campaign_id, treebank_id, 'apprUB', upper_bound, 1, true
    FROM meaning_scores AS scores
    JOIN (SELECT submission_id, measure, parser FROM mf_scores) AS used USING (submission_id, parser)
    WHERE list_contains($submissions, submission_id) AND metric = measure AND upper_bound IS NOT NULL
)
ORDER BY apart, campaign_id, treebank_id, system_id;
