-- delete_metric_comparison: forget which metrics agreed better with people, by what is computed again.
DELETE FROM metric_comparison
WHERE
    campaign_id = $campaign AND treebank_id = $treebank AND criterion = $criterion
    AND people = $people AND (level = 'system' OR grouping = $grouping);

-- delete_metric_evaluation: forget how metrics agreed with people on a treebank and criterion, by what is computed again.
DELETE FROM metric_evaluation
WHERE
    campaign_id = $campaign AND treebank_id = $treebank AND criterion = $criterion
    AND people = $people AND (level = 'system' OR grouping = $grouping) AND part_kind = $kind;

-- edges_of_judged: one row per output of $submissions and relation of its reference: the share of its edges that are realised.
SELECT submission_id, sentence_no, deprel, avg(found) AS share
FROM edge_match
SEMI JOIN current_scoring USING (submission_id, signature_id)
WHERE list_contains($submissions, submission_id) AND list_contains($sentence_nos, sentence_no)
GROUP BY submission_id, sentence_no, deprel
ORDER BY submission_id, sentence_no, deprel;

-- judged_campaigns: one row per campaign of which people judged outputs.
SELECT DISTINCT campaign_id
FROM human_score
JOIN submission USING (submission_id)
ORDER BY campaign_id;

-- judged_submissions: one row per submission among $submissions: its system and tags, and the language of its treebank.
SELECT submission_id, system_id, treebank_id, language, tags
FROM submission
JOIN treebank USING (treebank_id)
WHERE list_contains($submissions, submission_id)
ORDER BY submission_id;

-- lengths_of_judged: one row per output of $submissions to the sentences $sentence_nos: its characters.
SELECT submission_id, sentence_no, length(text) AS characters
FROM output
WHERE list_contains($submissions, submission_id) AND list_contains($sentence_nos, sentence_no) AND text IS NOT NULL
ORDER BY submission_id, sentence_no;

-- marked_patterns: one row per pattern mined by a measure of marked errors: over how many submissions it goes with them.
SELECT
    metric AS measure, labels, pattern, nodes, submissions, suspicious_in, coverage, suspicion_mean,
    sentences, failed, failed / sentences AS failure_rate
FROM pattern_coverage
WHERE len(list_filter($criteria, lambda each: errors_of(metric, each, []) IS NOT NULL
    AND ($criterion IS NULL OR each = $criterion))) > 0
ORDER BY measure, labels, coverage DESC, suspicion_mean DESC NULLS LAST, pattern;

-- outputs_to_judge: one row per output of the submissions for one of the sentences: its text.
SELECT sentence_no, submission_id, text
FROM output
WHERE submission_id IN (SELECT unnest($submissions))
    AND sentence_no IN (SELECT unnest($sentence_nos))
    AND regexp_matches(text, '\S')
ORDER BY sentence_no, submission_id;

-- planned_scores: one row per metric and output of the submissions ($submissions): its current score.
SELECT metric, submission_id, sentence_no, score
FROM sentence_score
SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
WHERE list_contains($submissions, submission_id) AND isfinite(score)
ORDER BY metric, submission_id, sentence_no;

-- submissions_with_trees: one row per submission among $submissions: whether its outputs have trees, and edges of references that were looked for.
-- Others need not be looked through.
SELECT
    submission_id,
    submission_id IN (SELECT submission_id FROM output_words WHERE deprels IS NOT NULL) AS parsed,
    submission_id IN (SELECT submission_id FROM edge_outcome) AS with_edges
FROM submission
WHERE list_contains($submissions, submission_id)
ORDER BY submission_id;

-- system_metric_agreements: one row per metric, criterion and way of correlating over the systems that submissions were judged with.
SELECT *
FROM agreement_with_people
WHERE level = 'system' AND outliers = 'with' AND (campaign_id, treebank_id) IN (
    SELECT (campaign_id, treebank_id)
    FROM submission
    WHERE list_contains($submissions, submission_id)
);
