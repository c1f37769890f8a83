-- challenge_left_out: one row per test set and phenomenon with items that outputs of some submissions have no result for.
-- Such items are about trees, and the outputs have none.
WITH expected AS (
    SELECT treebank_id, phenomenon, count(DISTINCT sentence_no) AS items
    FROM challenge_check
    GROUP BY ALL
),
left_out AS (
    SELECT treebank_id, phenomenon, expected.items - coalesce(by_phenomenon.items, 0) AS items
    FROM submission
    JOIN expected USING (treebank_id)
    LEFT JOIN challenge_by_phenomenon AS by_phenomenon USING (submission_id, treebank_id, phenomenon)
    WHERE list_contains($submissions, submission_id)
        AND submission.analysis <> $no_outputs
)
SELECT treebank_id, phenomenon, max(items) AS items, count(*) AS submissions
FROM left_out
WHERE items > 0
GROUP BY ALL
ORDER BY treebank_id, phenomenon;

-- challenge_metrics: one row per contrastive set, phenomenon and metric: how often it prefers the good output.
FROM challenge_by_metric
WHERE list_contains($treebanks, treebank_id)
ORDER BY treebank_id, challenge, phenomenon NULLS FIRST, preferred_rate DESC, metric;

-- challenge_rates: one row per submission and phenomenon, first that of all items.
SELECT
    submission_id, treebank_id, system_id, iteration, phenomenon, items, passed, pass_rate, low, high,
    previous_submission_id, gained, lost, p_value
FROM challenge_by_phenomenon
WHERE list_contains($submissions, submission_id)
ORDER BY treebank_id, phenomenon NULLS FIRST, campaign_id, system_id, iteration, submission_id;

-- challenge_treebanks: one row per test set with challenge items that submissions are to.
SELECT DISTINCT treebank_id
FROM submission
SEMI JOIN challenge_check USING (treebank_id)
WHERE list_contains($submissions, submission_id)
ORDER BY treebank_id;

-- overlap_newest: one row: the training files that were looked through last for a test set.
SELECT substr(target, length($treebank) + 2) AS training
FROM ingestion
WHERE kind = 'overlap' AND starts_with(target, $treebank || ' ')
ORDER BY revision DESC
LIMIT 1;

-- overlap_sentences: one row per side and sentence of a test set that overlaps with training files.
SELECT
    side, sentence_no, sent_id, words, exact, ngrams, ngrams_found, similarity, similar_source, similar_line
FROM training_overlap
JOIN sentence USING (treebank_id, sentence_no)
WHERE treebank_id = $treebank AND training = $training AND overlapping
ORDER BY exact > 0 DESC, similarity DESC, side, sentence_no;

-- overlap_sizes: one row per side: how many sentences of a test set training files hold.
FROM overlap_with_training
WHERE treebank_id = $treebank AND training = $training
ORDER BY side;

-- overlap_submissions: one row per submission to a test set, in the order of systems and iterations.
SELECT submission_id
FROM submission
WHERE treebank_id = $treebank
ORDER BY campaign_id, system_id, iteration, submission_id;

-- overlap_texts: one row per sentence of a test set and side that has a text: what is looked for in training files.
SELECT 'reference' AS side, sentence_no, text
FROM sentence
WHERE treebank_id = $treebank AND text IS NOT NULL
UNION ALL
SELECT 'source', sentence_no, source_text
FROM sentence_source
WHERE treebank_id = $treebank AND source_text IS NOT NULL
ORDER BY side, sentence_no;
