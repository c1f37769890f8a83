-- subtrees: one row per subtree pattern or enumeration that cannot be, such as a pattern below the minimum support.
SELECT
    'limits out of range' AS fault,  -- what is wrong
    treebank_id,                     -- the treebank
    labels,                          -- what nodes are labelled with
    NULL AS pattern                  -- the pattern
FROM subtree_enumeration
WHERE max_nodes < 1 OR minimum_support < 1
UNION ALL
SELECT 'pattern beyond the limits', treebank_id, labels, pattern
FROM subtree
JOIN subtree_enumeration USING (treebank_id, labels)
WHERE nodes NOT BETWEEN 1 AND max_nodes OR len(sentence_nos) < minimum_support
UNION ALL
SELECT 'pattern without its parentheses', treebank_id, labels, pattern
FROM subtree
WHERE pattern NOT LIKE '(_%)'
UNION ALL
SELECT 'sentences not of the treebank, repeated or out of order', treebank_id, labels, pattern
FROM subtree
JOIN treebank USING (treebank_id)
WHERE coalesce(
    sentence_nos <> list_sort(list_distinct(sentence_nos))
    OR sentence_nos[1] < 1
    OR sentence_nos[-1] > treebank.sentences,
    true
);
