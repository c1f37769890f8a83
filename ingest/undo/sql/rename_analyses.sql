-- rename_analyses: lets analyses name the renamed signature that they rest on, and adds their new ids to renamed.
-- Reads the temporary table renamed. An analysis over several signatures names none of them: it keeps its id.
INSERT INTO renamed
SELECT DISTINCT
    'signature',
    analysis.signature_id,
    left(sha256(replace(signature, '|scores:' || old_id, '|scores:' || new_id)), 12)
FROM analysis
JOIN renamed ON what = 'signature' AND ends_with(signature, '|scores:' || old_id);
UPDATE analysis
SET signature = replace(signature, '|scores:' || old_id, '|scores:' || new_id)
FROM renamed
WHERE what = 'signature' AND ends_with(signature, '|scores:' || old_id);
