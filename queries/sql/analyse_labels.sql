-- analyse_labels: labels of the sentences of the treebanks at hand that come from themselves: comments that repeat, and length.
-- reads: pending_treebank
-- A comment is a label where each of its 2 to 50 values stands at five sentences or more on average. One that stands only
-- where documents start holds for all sentences of its document. Words are those of the tree but punctuation, of plain text
-- what words_of counts.
INSERT INTO sentence_label
WITH placed AS (
    SELECT
        treebank_id,
        sentence_no,
        text,
        comments,
        newdoc IS NOT NULL AS starts,
        count(newdoc) OVER (PARTITION BY treebank_id ORDER BY sentence_no) AS document
    FROM sentence
    JOIN pending_treebank USING (treebank_id)
),
comment AS (
    SELECT
        treebank_id,
        sentence_no,
        starts,
        document,
        regexp_extract(unnest(comments), '^#\s*([^=]*[^=\s])\s*=\s*(.*\S)\s*$', ['name', 'value']) AS pair
    FROM placed
),
named AS (
    SELECT
        treebank_id,
        sentence_no,
        document,
        trim(regexp_replace(pair.name, '[^\p{L}\p{M}\p{N}_.-]+', '-', 'g'), '-') AS label,
        pair.value AS value,
        bool_and(starts) OVER (PARTITION BY treebank_id, pair.name) AS of_documents
    FROM comment
    WHERE NOT regexp_matches(pair.name, '^(sent_id|text|text_.*|translit.*|newdoc.*|newpar.*|global\..*|)$')
        AND length(pair.value) <= 100
),
spread AS (
    SELECT named.treebank_id, placed.sentence_no, label, value
    FROM named
    JOIN placed
        ON placed.treebank_id = named.treebank_id
        AND if(of_documents, placed.document = named.document, placed.sentence_no = named.sentence_no)
),
once AS (
    SELECT treebank_id, sentence_no, label, min(value) AS value
    FROM spread
    WHERE regexp_matches(label, '^\p{L}')
    GROUP BY ALL
),
counted AS (
    SELECT treebank_id, sentence_no, count(*) AS words
    FROM token
    JOIN pending_treebank USING (treebank_id)
    WHERE upos IS DISTINCT FROM 'PUNCT'
    GROUP BY ALL
),
measured AS (
    SELECT treebank_id, sentence_no, coalesce(counted.words, words_of(text)) AS words
    FROM placed
    LEFT JOIN counted USING (treebank_id, sentence_no)
),
labelled AS (
    SELECT treebank_id, sentence_no, label, value, 'comments' AS origin
    FROM once
    QUALIFY count(DISTINCT value) OVER (PARTITION BY treebank_id, label) BETWEEN 2 AND 50
        AND count(*) OVER (PARTITION BY treebank_id, label)
            >= 5 * count(DISTINCT value) OVER (PARTITION BY treebank_id, label)
    UNION ALL
    SELECT
        treebank_id,
        sentence_no,
        'length',
        CASE WHEN words < 10 THEN '1-9' WHEN words < 20 THEN '10-19' WHEN words < 30 THEN '20-29'
            WHEN words < 40 THEN '30-39' ELSE '40+' END,
        'computed'
    FROM measured
    WHERE words > 0
)
SELECT labelled.treebank_id, sentence_no, labelled.label, value, origin
FROM labelled
ANTI JOIN sentence_label AS loaded
    ON loaded.treebank_id = labelled.treebank_id AND loaded.label = labelled.label
ORDER BY ALL;
