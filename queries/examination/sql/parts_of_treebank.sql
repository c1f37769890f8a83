-- parts_of_treebank: one row per sentence of a treebank ($treebank_id) and part it belongs to, by $kind.
-- Lengths are characters of the reference, or of the source where it has no text; lengths and
-- complexity (mean dependency distance) are cut into four parts of as many sentences. A sentence is
-- in the part of each relation that its tree has.
WITH measured AS (
    SELECT
        sentence_no,
        CASE $kind
            WHEN 'length' THEN coalesce(nullif(length(sentence.text), 0), length(source_text))
            WHEN 'complexity' THEN mdd
        END AS value
    FROM sentence
    LEFT JOIN sentence_source USING (treebank_id, sentence_no)
    LEFT JOIN (FROM sentence_complexity WHERE convention = 'standard') AS complexity
        USING (treebank_id, sentence_no)
    WHERE treebank_id = $treebank_id
),
quarter AS (
    SELECT sentence_no, value, ntile(4) OVER (ORDER BY value, sentence_no) AS quarter
    FROM measured
    WHERE value IS NOT NULL
)
SELECT
    sentence_no,
    format('{}: {:.4g} to {:.4g}', quarter, min(value) OVER part, max(value) OVER part) AS part
FROM quarter
WINDOW part AS (PARTITION BY quarter)
UNION ALL
SELECT sentence_no, value
FROM labelled_sentences
WHERE treebank_id = $treebank_id AND $kind IN ('domain', 'document') AND label = $kind
UNION ALL
SELECT DISTINCT sentence_no, split_part(deprel, ':', 1)
FROM token
WHERE treebank_id = $treebank_id AND $kind = 'relation' AND deprel IS NOT NULL
ORDER BY part, sentence_no;
