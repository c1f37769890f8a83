ALTER TABLE signature ADD COLUMN choices STRUCT(choice VARCHAR, settings VARCHAR, decides BOOLEAN, is_partial BOOLEAN)[];
COMMENT ON COLUMN signature.choices IS 'choices of settings that it goes with: what each is of, settings in words, whether scores make it, whether sentences are left out; NULL until views are installed';
