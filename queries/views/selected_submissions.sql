-- selected_submissions: one row per submission that views aggregate over, and which of them count (macro who_counts).
-- grain: submission_id
-- reads: submission_identity
-- group: internal
-- All are selected, and the newest iterations count, unless variables of the connection say otherwise:
-- SET VARIABLE selected_submissions = ['SR19/IMS/en_ewt'], SET VARIABLE who_counts = 'all'.
CREATE OR REPLACE VIEW selected_submissions AS
SELECT
    identity.* EXCLUDE (params, tags),
    coalesce(getvariable('who_counts')::VARCHAR, 'newest')
        AS counting,                       -- who counts: newest or all iterations of those that count, or all: newest, iterations, all
    identity.params,
    identity.tags
FROM submission_identity AS identity
WHERE getvariable('selected_submissions') IS NULL
    OR list_contains(getvariable('selected_submissions')::VARCHAR[], identity.submission_id);
