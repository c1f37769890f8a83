-- sentences_of_batches: one row per row of batch_items that shows one sentence alone: which, and whether another output of its system is loaded.
-- Of several sentences that are alike in a document (or in a batch without documents) the items that show them have one each, in order,
-- or where not all are shown the one between the sentences of the items before and after.
WITH displayed AS (
    SELECT
        * REPLACE (trim(nfc_normalize(source)) AS source, trim(nfc_normalize(shown)) AS shown),
        row_number() OVER alike AS occurrence,
        count(*) OVER (PARTITION BY batch, system, document, copy, kind, trim(nfc_normalize(source))) AS occurrences
    FROM batch_items
    WINDOW alike AS (
        PARTITION BY batch, system, document, copy, kind, trim(nfc_normalize(source)) ORDER BY item
    )
),
reference AS (
    SELECT
        treebank_id,
        sentence_no,
        coalesce(sent_id, sentence_no::VARCHAR) AS sentence,
        document_id,
        trim(nfc_normalize(coalesce(source_text, text))) AS source
    FROM sentence
    LEFT JOIN sentence_source USING (treebank_id, sentence_no)
    WHERE treebank_id IN (SELECT treebank_id FROM displayed)
),
generated AS (
    SELECT
        treebank_id,
        system_id || CASE WHEN iteration = 1 THEN '' ELSE '@' || iteration END AS system,
        sentence_no,
        trim(nfc_normalize(text)) AS shown
    FROM submission
    JOIN output USING (submission_id)
    WHERE campaign_id = $campaign AND treebank_id IN (SELECT treebank_id FROM displayed) AND text IS NOT NULL
),
candidate AS (
    SELECT item, sentence_no, bool_or(by_source) AS by_source
    FROM (
        SELECT item, sentence_no, true AS by_source
        FROM displayed JOIN reference USING (treebank_id, source)
        UNION ALL
        SELECT item, sentence_no, false AS by_source
        FROM displayed JOIN generated USING (treebank_id, system, shown)
    )
    GROUP BY item, sentence_no
),
likely AS (
    SELECT
        displayed.*,
        sentence,
        sentence_no,
        coalesce(generated.shown <> displayed.shown, false) AS differs
    FROM candidate
    JOIN displayed USING (item)
    JOIN reference USING (treebank_id, sentence_no)
    LEFT JOIN generated USING (treebank_id, system, sentence_no)
    -- A document that the test set does not have says nothing.
    WHERE document_id IS NULL
        OR document_id = document
        OR (treebank_id, document) NOT IN (
            SELECT (treebank_id, document_id) FROM reference WHERE document_id IS NOT NULL
        )
    QUALIFY rank() OVER (PARTITION BY item ORDER BY by_source DESC, differs) = 1
),
counted AS (
    SELECT
        *,
        count(*) OVER of_item AS choices,
        row_number() OVER (PARTITION BY item ORDER BY sentence_no) AS choice
    FROM likely
    WINDOW of_item AS (PARTITION BY item)
),
neighboured AS (
    SELECT
        *,
        max(sentence_no) FILTER (choices = 1) OVER (
            in_document RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS before,
        min(sentence_no) FILTER (choices = 1) OVER (
            in_document RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ) AS after
    FROM counted
    WINDOW in_document AS (PARTITION BY batch, system, document, copy ORDER BY item)
)
SELECT item, sentence, differs
FROM neighboured
WHERE choices = 1
    OR choices = occurrences AND choice = occurrence
    OR choices > occurrences AND sentence_no > before AND sentence_no < after
QUALIFY count(*) OVER (PARTITION BY item) = 1;
