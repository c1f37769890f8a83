-- error_span_counts: one row per submission, criterion, category and severity of marked errors: how many there are.
-- grain: submission_id, criterion, category, severity
-- reads: error_spans, marked_outputs, submission_identity
-- group: people
-- Errors of degraded copies do not count. Rates are over the judgements that could mark errors.
CREATE OR REPLACE VIEW error_span_counts AS
WITH judged AS (
    SELECT submission_id, criterion, sum(judgements)::BIGINT AS judgements
    FROM marked_outputs
    GROUP BY submission_id, criterion
),
counted AS (
    SELECT submission_id, criterion, category, severity, count(*) AS errors, total_weight(weight) AS weight
    FROM error_spans
    WHERE kind <> 'degraded'
    GROUP BY submission_id, criterion, category, severity
)
SELECT
    identity.* EXCLUDE (params, tags),
    counted.criterion,                                    -- what was judged
    counted.category,                                     -- what kind of error; NULL where the protocol asks for none
    counted.severity,                                     -- how bad
    counted.errors,                                       -- marked errors
    counted.errors / judged.judgements AS per_judgement,  -- the same by judgement
    counted.weight,                                       -- what they cost together; NULL where the protocol weighs none
    judged.judgements,                                    -- judgements of the submission on the criterion
    identity.params,
    identity.tags
FROM counted
JOIN judged USING (submission_id, criterion)
JOIN submission_identity AS identity ON identity.submission_id = counted.submission_id
ORDER BY counted.submission_id, counted.criterion, counted.errors DESC, counted.category, counted.severity;
