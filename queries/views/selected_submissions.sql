-- selected_submissions: one row per submission that views aggregate over, and which of them count (macro who_counts).
-- All are selected here. A statement that begins WITH selected_submissions AS (…) has the same
-- aggregates over other ones.
CREATE OR REPLACE VIEW selected_submissions AS
SELECT
    identity.* EXCLUDE (params, tags),
    'newest' AS counting,                  -- who counts: newest or all iterations of those that count, or all: newest, iterations, all
    identity.params,
    identity.tags
FROM submission_identity AS identity;
