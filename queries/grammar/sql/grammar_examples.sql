-- grammar_examples: one row per rule at hand and dependency that shows it: short sentences first, up to so many of each sort.
WITH judged AS (
    SELECT
        found.rule, found.target, found.sentence_no, found.token_no, NOT found.violated AS satisfied,
        row_number() OVER (
            PARTITION BY found.rule, found.violated
            ORDER BY length(sentence.forms_text), found.sentence_no, found.token_no
        ) AS example_no
    FROM checked_dependency AS found
    JOIN sentence
        ON sentence.sentence_no = found.sentence_no
        AND sentence.treebank_id = found.target
    WHERE found.bearing
)
SELECT
    rule, target AS treebank_id, satisfied, example_no::INTEGER AS example_no, sentence_no, token_no
FROM judged
WHERE example_no <= $examples
ORDER BY rule, satisfied, example_no;
