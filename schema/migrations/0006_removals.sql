-- removal: one row per submission, system, treebank or campaign that was removed: copies of it in other databases do not come back unless that is asked for.
-- grain: kind, target
CREATE TABLE removal (
    kind        VARCHAR NOT NULL,                   -- submission, system, treebank or campaign
    target      VARCHAR NOT NULL,                   -- its id
    sha256      VARCHAR,                            -- hash of what it held: of other content it is another; NULL of systems and campaigns
    tool        VARCHAR NOT NULL,                   -- version of sr-tracker
    removed_at  TIMESTAMP WITH TIME ZONE NOT NULL,  -- when
    PRIMARY KEY (kind, target)
);
