-- rename_ingestions: gives ingestions of renamed targets the ids that loading under the new name would give them.
UPDATE ingestion
SET ingestion_id = sha256(concat_ws(chr(10), kind, target, sha256))
WHERE ingestion_id <> sha256(concat_ws(chr(10), kind, target, sha256));
