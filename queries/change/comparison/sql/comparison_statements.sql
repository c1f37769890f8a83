-- compared_judgements: one row per pair of sentences of which people judged both outputs by a criterion.
SELECT new_no, [z.z_score, 1]::DOUBLE[] AS new, [base_z.z_score, 1]::DOUBLE[] AS base
FROM compared_sentence
JOIN human_score AS z ON z.submission_id = $new AND z.sentence_no = new_no
JOIN human_score AS base_z
    ON base_z.submission_id = $base AND base_z.sentence_no = base_no
    AND base_z.criterion = z.criterion
WHERE z.criterion = $criterion AND z.z_score IS NOT NULL AND base_z.z_score IS NOT NULL
ORDER BY new_no;

-- compared_ngrams: one row per n-gram that two submissions to a test set differ by in sentences, and whether the references have it.
-- sentence_cluster is lent: which sentences belong together. $fewest: in at least so many clusters, one more than other.
-- moved has a number for each cluster that is not the same: in how many more of its sentences new has the n-gram.
-- grain: ngram, in_reference
WITH moved AS (
    SELECT
        ngram, in_reference, cluster,
        count_if(in_new)::INTEGER AS only_new,
        count_if(NOT in_new)::INTEGER AS only_base
    FROM differing_ngrams($new, $base)
    JOIN sentence_cluster USING (sentence_no)
    GROUP BY ALL
)
SELECT
    ngram,
    in_reference,
    sum(only_new)::INTEGER AS only_new,
    sum(only_base)::INTEGER AS only_base,
    list(only_new - only_base) FILTER (WHERE only_new <> only_base) AS moved
FROM moved
GROUP BY ngram, in_reference
HAVING count_if(only_new <> only_base) >= $fewest
ORDER BY in_reference DESC, ngram;

-- measure_states: one row per submission and metric, or what people said: what its values rest on, and whether it has one.
-- $submissions: their ids.
-- grain: submission_id, source
SELECT submission_id, source, state, is_defined
FROM measure_state
WHERE list_contains($submissions, submission_id);

-- shared_measures: one row per measure that all submissions have, relations, patterns and their like left out.
SELECT measure
FROM submission_measures
WHERE list_contains($submissions, submission_id) AND NOT contains(measure, '[')
    AND score IS NOT NULL
GROUP BY measure
HAVING count(DISTINCT submission_id) = len(list_distinct($submissions))
ORDER BY measure;

-- stored_changes: one row per measure of a comparison that is stored, in their order.
-- grain: measure
SELECT *
FROM change
WHERE submission_id = $new AND base_submission_id = $base AND settings_id = $settings
ORDER BY place;

-- stored_comparison_changes: one row per measure of a verdict that is stored and still holds, in their order.
-- $submissions and $bases: their ids, in the same order.
-- grain: submission_id, base_submission_id, measure
SELECT measure_changes.*
FROM measure_changes
SEMI JOIN (SELECT unnest($submissions) AS submission_id, unnest($bases) AS base_submission_id) AS asked
    USING (submission_id, base_submission_id)
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
ORDER BY submission_id, base_submission_id, place;

-- stored_comparisons: one row per pair of submissions whose verdict is stored and still holds.
-- $submissions and $bases: their ids, in the same order.
-- grain: submission_id, base_submission_id
SELECT current_comparison.*
FROM current_comparison
SEMI JOIN (SELECT unnest($submissions) AS submission_id, unnest($bases) AS base_submission_id) AS asked
    USING (submission_id, base_submission_id)
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions);

-- stored_verdict: one row: the words in which a comparison that is stored says what it comes to.
SELECT verdict, relations_verdict, labels_verdict
FROM comparison
WHERE submission_id = $new AND base_submission_id = $base AND settings_id = $settings;

-- trials_of_scores: one row per trial of scores that has a score as well, the submission itself first: the place of the score, from 0.
-- $submissions and $signatures: of the scores, in the same order.
WITH asked AS (
    SELECT
        unnest($submissions::VARCHAR[]) AS submission_id,
        unnest($signatures::VARCHAR[]) AS signature_id,
        unnest(range(len($submissions))) AS place
)
SELECT place, submission_id, signature_id
FROM (
    SELECT place, submission_id, signature_id, 1 AS trial_no FROM asked
    UNION ALL
    SELECT place, trial_submission_id, signature_id, trial_no
    FROM asked
    JOIN trial USING (submission_id)
    SEMI JOIN scoring
        ON scoring.target = trial.trial_submission_id AND scoring.signature_id = asked.signature_id
    WHERE trial_no > 1
)
ORDER BY place, trial_no;
