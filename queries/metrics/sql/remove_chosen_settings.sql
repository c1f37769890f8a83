-- remove_chosen_settings: test sets of some signatures have no settings chosen of their metrics any more.
-- $signatures: ids of signatures.
DELETE FROM standing_choice
WHERE (treebank_id, metric) IN (
    SELECT (treebank_id, metric) FROM signature WHERE list_contains($signatures, signature_id)
);
