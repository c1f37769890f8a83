ALTER TABLE signature ADD COLUMN choices STRUCT(choice VARCHAR, settings VARCHAR, decides BOOLEAN, is_partial BOOLEAN)[];
