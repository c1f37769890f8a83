-- campaign: one row per evaluation with a name and a year.
CREATE TABLE campaign (
    campaign_id  VARCHAR NOT NULL PRIMARY KEY,  -- short name, such as SR19
    name         VARCHAR NOT NULL,              -- full name
    year         INTEGER,                       -- year of the evaluation
    description  VARCHAR                        -- free text
);
