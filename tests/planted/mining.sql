-- Faults to plant in mined errors.

-- error_mining_submission_id
DELETE FROM analysis;

-- mining
DELETE FROM error_mining;
UPDATE error_mining SET failed = sentences + 1;
UPDATE error_mining SET undefined_reason = 'x' WHERE undefined_reason IS NULL;
UPDATE suspicion SET failed = sentences + 1;
UPDATE suspicion SET failed = 0 WHERE failed > 10;
UPDATE suspicion SET sentences = 4;
UPDATE suspicion SET nodes = 4;
UPDATE suspicion SET p_value = 'nan';
UPDATE suspicion SET p_holm = p_value / 2;
DELETE FROM suspicion_node;
DELETE FROM suspicion_node WHERE stop_reason = 'no failure';
UPDATE suspicion_node SET failed = failed + 1 WHERE stop_reason = 'no pattern';
UPDATE suspicion_node SET has_pattern = true WHERE NOT has_pattern;
UPDATE suspicion_node SET depth = 1 WHERE depth = 2;
UPDATE suspicion_node SET pattern = NULL;
UPDATE suspicion_node SET stop_reason = 'depth' WHERE stop_reason IS NULL;

-- subtree_labels
DELETE FROM subtree_enumeration;

-- subtree_enumeration_treebank_id
UPDATE subtree_enumeration SET treebank_id = 'x';

-- subtrees
UPDATE subtree_enumeration SET minimum_support = 0;
UPDATE subtree_enumeration SET minimum_support = 20;
UPDATE subtree_enumeration SET max_nodes = 2;
UPDATE subtree SET pattern = 'conj' WHERE pattern = '(conj)';
UPDATE subtree SET sentence_nos = list_reverse(sentence_nos);
UPDATE subtree SET sentence_nos = list_append(sentence_nos, 61);
UPDATE subtree SET sentence_nos = list_append(sentence_nos, NULL);
UPDATE subtree SET sentence_nos = list_concat([0], sentence_nos);
