-- current_signatures: one row per score of some submissions ($submissions) by the chosen settings: its signature.
-- grain: metric, submission_id
SELECT metric, submission_id, signature_id
FROM current_scoring
WHERE list_contains($submissions, submission_id);

-- label_values: one row per label of a treebank ($treebank) and value: its sentences; of many values the $most that have most sentences.
-- Labels of which there is one value alone tell nothing apart. Values that begin with a number are in the order of these.
-- grain: label, value
SELECT
    label,
    value,
    list(sentence_no ORDER BY sentence_no) AS sentence_nos,
    count(*) OVER (PARTITION BY label)     AS number_of_values,
    bool_and(origin = 'computed')          AS computed
FROM labelled_sentences
WHERE treebank_id = $treebank
GROUP BY label, value
QUALIFY number_of_values > 1
    AND row_number() OVER (PARTITION BY label ORDER BY len(sentence_nos) DESC, value) <= $most
ORDER BY label, try_cast(regexp_extract(value, '^\d{1,18}') AS BIGINT) NULLS LAST, value;

-- pending_slices: one row per score of a submission whose treebank has labels, by which its sentences are not scored yet.
-- $submissions: only these; NULL for all.
WITH labelled AS (
    SELECT treebank_id
    FROM labelled_sentences
    GROUP BY treebank_id, label
    HAVING count(DISTINCT value) > 1
),
pending AS (
    SELECT submission_id, metric, signature_id
    FROM current_scoring
    ANTI JOIN slice_score USING (submission_id, metric, signature_id)
    WHERE $submissions IS NULL OR list_contains($submissions, submission_id)
)
SELECT
    submission.treebank_id,
    pending.metric,
    submission_id,
    pending.signature_id,
    submission_score.score,
    submission_score.undefined_reason
FROM pending
JOIN submission USING (submission_id)
SEMI JOIN labelled ON labelled.treebank_id = submission.treebank_id
LEFT JOIN submission_score USING (submission_id, metric, signature_id)
ORDER BY ALL;
