-- missed_by_sentence: one row per criterion, metric, what errors are looked at by and sentence: pairs in which the metric misses errors.
-- Relations are of the references' trees or, where they are given, of another treebank's ($trees).
WITH pair AS (
    FROM missed_pairs
    WHERE list_contains($submissions, submission_id) AND ($criterion IS NULL OR criterion = $criterion)
),
relation AS (
    SELECT treebank_id, sentence_no, unnest(deprels) AS deprel
    FROM sentence_relations
    WHERE $trees IS NULL OR treebank_id = $trees
),
sentence AS (
    SELECT
        criterion, metric, treebank_id, sentence_no,
        sum(pairs)::BIGINT AS pairs, sum(missed)::BIGINT AS missed
    FROM pair
    GROUP BY ALL
),
category AS (
    SELECT
        criterion, metric, treebank_id, sentence_no, category,
        sum(pairs)::BIGINT AS pairs, sum(missed)::BIGINT AS missed
    FROM (SELECT pair.*, unnest(categories) AS category FROM pair)
    GROUP BY ALL
),
looked_at AS (
    SELECT criterion, metric, 'all' AS about, 'all' AS value, treebank_id, sentence_no, pairs, missed
    FROM sentence
    UNION ALL
    SELECT criterion, metric, 'category', category, treebank_id, sentence_no, pairs, missed
    FROM category
    UNION ALL
    SELECT
        criterion, metric, coalesce($trees, 'relation'), deprel, sentence.treebank_id,
        sentence.sentence_no, pairs, missed
    FROM sentence
    JOIN relation
        ON relation.treebank_id = coalesce($trees, sentence.treebank_id)
        AND relation.sentence_no = sentence.sentence_no
),
value AS (
    SELECT DISTINCT criterion, metric, about, value FROM looked_at
)
SELECT
    criterion, metric, about, value, treebank_id, sentence_no,
    coalesce(looked_at.pairs, 0) AS units,
    coalesce(looked_at.missed, 0) AS hits,
    sentence.pairs - units AS other_units,
    sentence.missed - hits AS other_hits
FROM sentence
JOIN value USING (criterion, metric)
LEFT JOIN looked_at USING (criterion, metric, about, value, treebank_id, sentence_no);
