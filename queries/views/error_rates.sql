-- error_rates: one row per submission, criterion and severity of marked errors, and one for all: errors per 100 words.
-- grain: submission_id, criterion, severity
-- reads: marked_outputs, submission_identity
-- group: people
-- Words are those of the judged outputs, as often as they were judged: macro words_of. Severities that an annotator of the
-- campaign marked on the criterion have a row, with 0 errors where the submission has none.
CREATE OR REPLACE VIEW error_rates AS
WITH judged AS (
    SELECT
        marked.submission_id, submission.campaign_id, criterion, errors, judgements,
        words_of(output.text) * judgements AS words
    FROM marked_outputs AS marked
    JOIN submission
        ON submission.submission_id = marked.submission_id
    LEFT JOIN output
        ON output.submission_id = marked.submission_id
        AND output.sentence_no = marked.sentence_no
),
whole AS (
    SELECT
        submission_id, any_value(campaign_id) AS campaign_id, criterion,
        sum(judgements)::BIGINT AS judgements, count(*) AS outputs, sum(words)::BIGINT AS words
    FROM judged
    GROUP BY submission_id, criterion
),
span AS (
    SELECT submission_id, campaign_id, criterion, unnest(errors) AS error
    FROM judged
),
severity AS (
    SELECT DISTINCT campaign_id, criterion, error.severity AS severity FROM span
    UNION
    SELECT DISTINCT campaign_id, criterion, NULL FROM judged
),
counted AS (
    SELECT
        submission_id, criterion, error.severity AS severity, count(*) AS errors,
        total_weight(error.weight) AS weight
    FROM span
    GROUP BY GROUPING SETS ((submission_id, criterion), (submission_id, criterion, error.severity))
)
SELECT
    identity.* EXCLUDE (params, tags),
    whole.criterion,                                              -- what was judged
    severity.severity,                                            -- how bad; NULL for errors of any severity
    coalesce(counted.errors, 0) AS errors,                        -- marked errors
    counted.weight,                                               -- what they cost together; NULL where the protocol weighs none
    whole.outputs,                                                -- judged outputs
    whole.judgements,                                             -- judgements of them that could mark errors
    whole.words,                                                  -- words of these judgements; NULL where the texts are not loaded
    100 * coalesce(counted.errors, 0) / nullif(whole.words, 0)
        AS per_100_words,                                         -- errors per 100 words; NULL without words
    identity.params,
    identity.tags
FROM whole
JOIN severity
    ON severity.campaign_id = whole.campaign_id
    AND severity.criterion = whole.criterion
LEFT JOIN counted
    ON counted.submission_id = whole.submission_id
    AND counted.criterion = whole.criterion
    AND counted.severity IS NOT DISTINCT FROM severity.severity
JOIN submission_identity AS identity
    ON identity.submission_id = whole.submission_id;
