-- What a new database has beside its tables, which are made as their classes say.
INSERT INTO change_log VALUES (false);

-- next_revision: the revision of what is written now, above all there are.
CREATE MACRO next_revision() AS (
    SELECT 1 + coalesce(max(revision), 0)
    FROM (
        SELECT max(revision) AS revision FROM ingestion
        UNION ALL
        SELECT max(revision) FROM scoring
        UNION ALL
        SELECT max(revision) FROM analysis
    )
);
