-- system_family: the column that holds what systems of one team over the years share, as manifests declare it.
ALTER TABLE system ADD COLUMN family VARCHAR;
COMMENT ON COLUMN system.family IS 'name shared by the systems of one team over the years; NULL where none is declared';
