-- signature_better: the column that says which scores of a metric are better.
ALTER TABLE signature ADD COLUMN better VARCHAR DEFAULT 'higher';
COMMENT ON COLUMN signature.better IS 'which scores are better: higher or lower';
