CREATE TABLE removal (
    kind        VARCHAR NOT NULL,
    target      VARCHAR NOT NULL,
    sha256      VARCHAR,
    tool        VARCHAR NOT NULL,
    removed_at  TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (kind, target)
);
