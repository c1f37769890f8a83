-- forget_unused_settings: choices of settings go that nothing is scored with any more.
DELETE FROM standing_choice
WHERE (treebank_id, metric, settings) NOT IN (
    SELECT (treebank_id, choice, settings)
    FROM signature_settings
    SEMI JOIN scoring USING (signature_id)
    WHERE decides
);
