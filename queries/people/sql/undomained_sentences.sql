-- undomained_sentences: one row per treebank of which some judged sentences have no domain: how many, and how many domains.
SELECT
    treebank_id,
    count(DISTINCT sentence_no) AS sentences,
    count(DISTINCT domain) AS domains,
    count(DISTINCT sentence_no) FILTER (WHERE domain IS NULL) AS missing
FROM ranked_sentence
GROUP BY treebank_id
HAVING missing > 0
ORDER BY treebank_id;
