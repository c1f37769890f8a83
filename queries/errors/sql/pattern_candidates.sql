-- pattern_candidates: one row per sentence with every label of a pattern, as often as there: its tree.
-- Reads the temporary table that label_nodes makes.
WITH needed AS (
    SELECT unnest($labels) AS label, unnest($texts) AS text, unnest($times) AS times
),
enough AS (
    SELECT sentence_no, text
    FROM labelled_node
    JOIN needed USING (label)
    GROUP BY sentence_no, text, times
    HAVING count(*) >= times
),
candidate AS (
    SELECT sentence_no
    FROM enough
    GROUP BY sentence_no
    HAVING count(*) = (SELECT count(DISTINCT text) FROM needed)
)
SELECT
    dependent.sentence_no,
    list(dependent.token_no ORDER BY dependent.token_no) AS token_nos,
    list(head.token_no ORDER BY dependent.token_no) AS heads,
    list(dependent.label ORDER BY dependent.token_no) AS labels
FROM labelled_node AS dependent
SEMI JOIN candidate USING (sentence_no)
LEFT JOIN labelled_node AS head
    ON head.node = dependent.head_node
GROUP BY dependent.sentence_no
ORDER BY dependent.sentence_no;
