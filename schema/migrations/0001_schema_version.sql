-- schema_version: one row per migration that was applied to this database.
CREATE TABLE schema_version (
    version     INTEGER     NOT NULL PRIMARY KEY,  -- number of the migration file
    name        VARCHAR     NOT NULL,              -- what the migration is called
    tool        VARCHAR     NOT NULL,              -- version of sr-tracker that applied it
    applied_at  TIMESTAMPTZ NOT NULL               -- when it was applied
);
