-- rename_signatures: gives signatures the text that names their renamed treebank, and adds their new ids to renamed.
-- Reads the temporary table renamed. A signature's id is the short hash of its text.
INSERT INTO renamed
SELECT
    'signature',
    signature_id,
    left(sha256(replace(signature, '|treebank:' || old_id || '|', '|treebank:' || new_id || '|')), 12)
FROM signature
JOIN renamed ON what = 'treebank' AND old_id = treebank_id
WHERE signature_id = left(sha256(signature), 12);
UPDATE signature
SET signature = replace(signature, '|treebank:' || old_id || '|', '|treebank:' || new_id || '|')
FROM renamed
WHERE what = 'treebank' AND old_id = treebank_id AND signature_id = left(sha256(signature), 12);
