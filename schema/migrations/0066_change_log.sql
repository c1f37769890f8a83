-- change_log: one row, which says whether the file lacks changes that were written.
-- While a command writes, changes lie in NAME.wal. The first of them is that nothing is missing:
-- the file alone says that something is.
CREATE TABLE change_log (
    missing  BOOLEAN NOT NULL  -- whether NAME.wal was lost, or is damaged from its start
);
INSERT INTO change_log VALUES (false);
