-- system: one row per generator of sentences: a team's system, a baseline, or the human reference.
CREATE TABLE system (
    system_id    VARCHAR NOT NULL PRIMARY KEY,  -- short name, such as IMS
    team         VARCHAR,                       -- who built it
    kind         VARCHAR NOT NULL,              -- team, baseline or human
    description  VARCHAR                        -- free text
);
