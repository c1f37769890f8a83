-- submission_measures: one row per submission and measure: a metric, a human criterion, a relation, marked errors, the sentences of a label's value, a rule, an aspect of meaning or a pattern.
-- grain: submission_id, measure
-- reads: current_scoring, dea_by_relation, error_rates, human_criterion_means, mean_score, submission_identity, suspicious_patterns
-- group: compare and follow
-- listed: first
-- What comparisons, histories, gates and years are about; what is measured further is one more part of the union.
CREATE OR REPLACE VIEW submission_measures AS
WITH part_sums AS (
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
        submission_id,
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
    UNION ALL
    SELECT
        submission_id,
        criterion || '_z',
        'human',
        criterion,
        z_mean,
        sentences,
        'higher',
        NULL
    FROM human_criterion_means
    UNION ALL
    SELECT
        submission_id,
        criterion || '_errors' || coalesce('[' || severity || ']', ''),
        'errors',
        coalesce(severity, criterion),
        per_100_words,
        outputs,
        'lower',
        NULL
    FROM error_rates
    UNION ALL
    SELECT
        submission_id,
        'dea[' || deprel || ']',
        'relation',
        deprel,
        dea,
        edges,
        'higher',
        signature_id
    FROM dea_by_relation
    JOIN current_scoring USING (submission_id)
    WHERE metric = 'dea' AND deprel IS NOT NULL
    UNION ALL
    SELECT
        submission_id,
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
    -- themes add rows here
    UNION ALL SELECT submission_id, '{metric}[' || part || ']', '{kind}', part, {part_score}, sentences, '{better}', signature_id FROM part_sums JOIN signature USING (signature_id) WHERE metric = '{metric}'
    UNION ALL
    SELECT
        submission_id,
        'suspicion[' || pattern || ']',
        'pattern',
        pattern,
        max(suspicion),
        any_value(sentences),
        'lower',
        NULL
    FROM suspicious_patterns
    GROUP BY submission_id, pattern
)
SELECT
    identity.* EXCLUDE (params, tags),
    system.family,               -- what systems of one team over the years share; NULL where not declared
    measured.kind,               -- metric, human, errors, relation, slice, grammar rule, meaning or pattern
    measured.measure,            -- bleu, adequacy_z, mqm_errors[major], dea[nsubj], bleu[domain=news], suspicion[(conj cc)]
    measured.item,               -- the relation, the pattern, the criterion, or label and value alone
    measured.score,              -- its value; NULL where undefined
    measured.n,                  -- sentences, or edges of the relation, it rests on
    measured.better,             -- which is better: higher or lower
    measured.signature_id,       -- how it was computed; NULL where the parts have several
    identity.params,
    identity.tags
FROM measured
JOIN submission_identity AS identity USING (submission_id)
JOIN system USING (system_id);
