-- choose_settings: the settings of some signatures become the score of test sets that have none chosen of what these decide.
-- $signatures: ids of signatures; of two settings the first in their order is chosen.
-- $elect: whether settings that leave sentences out may be chosen.
INSERT INTO standing_choice
SELECT treebank_id, choice, arg_min(settings, list_position($signatures, signature_id)), now()
FROM signature_settings
WHERE list_contains($signatures, signature_id) AND decides AND ($elect OR NOT is_partial)
    AND (treebank_id, choice) NOT IN (SELECT (treebank_id, metric) FROM standing_choice)
GROUP BY treebank_id, choice;
