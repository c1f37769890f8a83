-- relation_years: one row per year, test set and kind of system: how much of a dependency relation the newest runs find.
WITH place AS (
    SELECT
        treebank_id, sentence_no,
        list_filter(range(1, len(deprels) + 1), lambda place: deprels[place] = $deprel) AS places
    FROM reference_edges
    WHERE list_contains(deprels, $deprel)
),
run AS (
    SELECT submission_id, campaign_id, treebank_id, year, system_kind
    FROM submission
    JOIN submission_identity AS identity USING (submission_id, campaign_id, treebank_id)
    WHERE year IS NOT NULL
    QUALIFY is_newest(submission)
),
found AS (
    SELECT
        submission_id,
        sum(list_sum(list_select(found, places))) / sum(len(places)) AS dea
    FROM edge_outcome
    SEMI JOIN (FROM current_scoring WHERE metric = 'dea') AS scoring USING (submission_id, signature_id)
    JOIN run USING (submission_id)
    JOIN place USING (treebank_id, sentence_no)
    GROUP BY submission_id
)
SELECT
    year, campaign_id, treebank_id, system_kind, count(*) AS systems,
    max(dea) AS best, median(dea) AS median, min(dea) AS worst
FROM run
JOIN found USING (submission_id)
GROUP BY ALL
ORDER BY treebank_id, system_kind, year, campaign_id;
