-- remove_chosen_settings: what some signatures decide has no other settings than theirs chosen on their test sets any more.
-- $signatures: ids of signatures.
DELETE FROM standing_choice
WHERE (treebank_id, metric) IN (
        SELECT (treebank_id, choice) FROM signature_settings WHERE list_contains($signatures, signature_id) AND decides
    )
    AND (treebank_id, metric, settings) NOT IN (
        SELECT (treebank_id, choice, settings) FROM signature_settings WHERE list_contains($signatures, signature_id) AND decides
    );
