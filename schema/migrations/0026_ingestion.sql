-- ingestion: one row per file that was loaded.
CREATE TABLE ingestion (
    ingestion_id  VARCHAR     NOT NULL PRIMARY KEY,  -- hash of kind, target and content
    kind          VARCHAR     NOT NULL,              -- treebank, submission, human_scores or campaign
    target        VARCHAR     NOT NULL,              -- what it was loaded as
    source        VARCHAR     NOT NULL,              -- name of the file
    sha256        VARCHAR     NOT NULL,              -- hash of what was loaded
    records       INTEGER     NOT NULL,              -- sentences, outputs or scores loaded
    tool          VARCHAR     NOT NULL,              -- version of sr-tracker
    ingested_at   TIMESTAMPTZ NOT NULL               -- when
);
