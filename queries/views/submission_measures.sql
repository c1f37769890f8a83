-- submission_measures: one row per submission and measure: a metric, a human criterion, a relation, marked errors, the sentences of a label's value, a rule, an aspect of meaning or a pattern.
-- grain: submission_id, measure
-- reads: current_scoring, dea_by_relation, error_rates, human_criterion_means, mean_score, submission_identity, suspicious_patterns
-- group: compare and follow
-- listed: first
-- What comparisons, histories, gates and years are about; what is measured further is one more part of the union.
CREATE OR REPLACE VIEW submission_measures AS
WITH entry AS NOT MATERIALIZED (
    SELECT identity.*, system.family
    FROM submission_identity AS identity
    JOIN system USING (system_id)
),
suspected AS (
    SELECT submission_id, pattern, max(suspicion) AS suspicion, any_value(sentences) AS sentences
    FROM suspicious_patterns
    GROUP BY ALL
),
part_sums AS (
    SELECT
        submission_id,
        signature_id,
        part,
        count(*) AS sentences,
        element_sums(statistics, 18) AS sums
    FROM part_match
    SEMI JOIN current_scoring USING (submission_id, signature_id)
    GROUP BY ALL
),
measured AS (
    SELECT
        entry.*,
        metric AS measure,
        'metric' AS kind,
        NULL AS item,
        score,
        sentences AS n,
        signature.better,
        signature_id
    FROM current_scoring
    JOIN mean_score USING (submission_id, metric, signature_id)
    JOIN signature USING (signature_id, metric)
    JOIN entry USING (submission_id)
    UNION ALL
    SELECT
        entry.*,
        criterion || '_z',
        'human',
        criterion,
        z_mean,
        sentences,
        'higher',
        NULL
    FROM human_criterion_means
    JOIN entry USING (submission_id)
    UNION ALL
    SELECT
        entry.*,
        criterion || '_errors' || coalesce('[' || severity || ']', ''),
        'errors',
        coalesce(severity, criterion),
        per_100_words,
        outputs,
        'lower',
        NULL
    FROM error_rates
    JOIN entry USING (submission_id)
    UNION ALL
    SELECT
        entry.*,
        'dea[' || deprel || ']',
        'relation',
        deprel,
        dea,
        edges,
        'higher',
        signature_id
    FROM dea_by_relation
    JOIN current_scoring USING (submission_id)
    JOIN entry USING (submission_id)
    WHERE metric = 'dea' AND deprel IS NOT NULL
    UNION ALL
    SELECT
        entry.*,
        metric || '[' || label || '=' || value || ']',
        'slice',
        label || '=' || value,
        score,
        sentences,
        signature.better,
        signature_id
    FROM current_scoring
    JOIN slice_score USING (submission_id, metric, signature_id)
    JOIN signature USING (signature_id, metric)
    JOIN entry USING (submission_id)
    -- themes add rows here
    UNION ALL SELECT entry.*, '{metric}[' || part || ']', '{kind}', part, {part_score}, sentences, '{better}', signature_id FROM part_sums JOIN signature USING (signature_id) JOIN entry USING (submission_id) WHERE metric = '{metric}'
    UNION ALL
    SELECT
        entry.*,
        'suspicion[' || pattern || ']',
        'pattern',
        pattern,
        suspicion,
        sentences,
        'lower',
        NULL
    FROM suspected
    JOIN entry USING (submission_id)
)
SELECT
    measured.* EXCLUDE (params, tags, family, kind, measure, item, score, n, better, signature_id),
    measured.family,             -- what systems of one team over the years share; NULL where not declared
    measured.kind,               -- metric, human, errors, relation, slice, grammar rule, meaning or pattern
    measured.measure,            -- bleu, adequacy_z, mqm_errors[major], dea[nsubj], bleu[domain=news], suspicion[(conj cc)]
    measured.item,               -- the relation, the pattern, the criterion, or label and value alone
    measured.score,              -- its value; NULL where undefined
    measured.n,                  -- sentences, or edges of the relation, it rests on
    measured.better,             -- which is better: higher or lower
    measured.signature_id,       -- how it was computed; NULL where the parts have several
    measured.params,
    measured.tags
FROM measured;
