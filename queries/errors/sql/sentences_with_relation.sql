-- sentences_with_relation: one row per relation, of some: the sentences of a treebank that have it.
SELECT deprel, list(DISTINCT sentence_no ORDER BY sentence_no) AS sentences
FROM reference_edge
WHERE treebank_id = $treebank AND list_contains($relations, deprel)
GROUP BY deprel;
