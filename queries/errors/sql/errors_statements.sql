-- all_iterations: one row per iteration of the system of a submission, on its test set.
SELECT each.submission_id
FROM submission AS each
JOIN submission AS one USING (campaign_id, system_id, treebank_id)
WHERE one.submission_id = $submission;

-- ensemble_tokens: one row per word of the outputs that an ensemble is made of; reads the temporary table ensemble_choice.
SELECT output_token.*
FROM output_token
SEMI JOIN ensemble_choice USING (submission_id, sentence_no)
ORDER BY sentence_no, token_no;

-- entropy_pairs: one row per submission at hand: entropy and accuracy of its relations, in the order of their names.
SELECT
    submission_id,
    coalesce(list(entropy ORDER BY deprel) FILTER (WHERE dea IS NOT NULL), []) AS entropy,
    coalesce(list(dea ORDER BY deprel) FILTER (WHERE dea IS NOT NULL), []) AS dea
FROM pending_analysis
LEFT JOIN entropy_dea USING (submission_id)
GROUP BY submission_id
ORDER BY submission_id;

-- exported_submission: one row: the treebank of a submission, and how many sentences that has.
SELECT treebank_id, sentences
FROM submission
JOIN treebank USING (treebank_id)
WHERE submission_id = $submission;

-- minable_submissions: one row per treebank: the submissions to mine whose errors can be.
SELECT treebank_id, list(submission_id ORDER BY submission_id) AS submissions
FROM pending_analysis
SEMI JOIN (FROM error_mining WHERE undefined_reason IS NULL) USING (signature_id, submission_id)
GROUP BY treebank_id
ORDER BY treebank_id;

-- most_suspicious_patterns: one row per pattern of highest suspicion in a submission: how often its sentences fail.
-- Those that fail significantly more often, or with $tree those of several words that its tree splits on.
WITH split AS (
    SELECT settings, pattern, max(suspicion) AS suspicion
    FROM suspicion_trees
    WHERE $tree AND suspicion > 0 AND contains(pattern, ' (') AND submission_id = $submission
    GROUP BY ALL
)
SELECT pattern, arg_max(failure_rate, mined.suspicion) AS failure_rate
FROM suspicious_patterns AS mined
LEFT JOIN split USING (settings, pattern)
WHERE (CASE WHEN $tree THEN split.suspicion IS NOT NULL ELSE suspicious END)
    AND submission_id = $submission AND labels = $labels AND metric = $metric
GROUP BY pattern
ORDER BY max(coalesce(split.suspicion, mined.suspicion)) DESC, pattern
LIMIT $patterns;

-- sentence_called: the sentences of a treebank that a text may mean, by number before sent_id.
SELECT sentence_no
FROM sentence
WHERE treebank_id = $treebank AND $sentence IN (sentence_no::VARCHAR, sent_id)
ORDER BY sentence_no::VARCHAR = $sentence DESC, sentence_no;

-- sentence_words: one row per sentence of a treebank: how many words its tree has.
SELECT sentence_no, count(token_no) AS words
FROM sentence
LEFT JOIN token USING (treebank_id, sentence_no)
WHERE treebank_id = $treebank_id
GROUP BY sentence_no
ORDER BY sentence_no;

-- sentences_with_relation: one row per relation, of some: the sentences of a treebank that have it.
SELECT deprel, list(DISTINCT sentence_no ORDER BY sentence_no) AS sentences
FROM reference_edge
WHERE treebank_id = $treebank AND list_contains($relations, deprel)
GROUP BY deprel;

-- unscored: one row per submission without a score by any metric.
-- $submissions: of these; NULL for all.
-- grain: submission_id
SELECT submission_id
FROM submission
ANTI JOIN current_scoring USING (submission_id)
WHERE $submissions IS NULL OR list_contains($submissions, submission_id)
ORDER BY submission_id;

-- weak_relations: one row per relation of a submission, lowest DEA first, and whether it has edges enough.
SELECT deprel, dea, edges >= $min_edges AS frequent
FROM dea_by_relation
WHERE submission_id = $submission AND deprel IS NOT NULL
ORDER BY dea, deprel;
