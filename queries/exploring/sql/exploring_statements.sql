-- listed_intervals: one row per submission and metric whose score has an interval.
SELECT submission_id, metric AS measure, low, high
FROM metric_intervals
WHERE list_contains($submissions, submission_id) AND low IS NOT NULL;

-- listed_judgements: one row per judgement of a sentence's outputs.
SELECT submission_id, criterion, annotator_id, raw_score, kind, judged_at
FROM judgement
WHERE treebank_id = $treebank AND sentence_no = $sentence_no
ORDER BY submission_id, criterion, annotator_id, judgement_no;

-- latest_verdicts: one row per submission whose comparison with the run before is stored, the newest runs first.
SELECT submission_id, base_submission_id
FROM (
    SELECT submission_id, created_at, previous_run(submission) AS base_submission_id
    FROM submission
)
JOIN current_comparison USING (submission_id, base_submission_id)
ORDER BY created_at DESC, submission_id
LIMIT $rows;

-- listed_marked_outputs: one row per judgement of a sentence's outputs that marks errors: the output, and its errors.
SELECT judgement.submission_id, criterion, annotator_id, raw_score, output.text AS output, error_spans
FROM judgement
JOIN output USING (submission_id, sentence_no)
WHERE treebank_id = $treebank
    AND sentence_no = $sentence_no
    AND kind <> 'degraded'
    AND len(error_spans) > 0
ORDER BY submission_id, criterion, annotator_id, judgement_no;

-- listed_pair_scores: one row per sentence of which two submissions have scores that were computed alike.
SELECT sentence_no, score, base_score, left(reference, 70) AS reference
FROM sentence_pairs
WHERE submission_id = $submission AND base_submission_id = $base AND metric = $metric
ORDER BY sentence_no;

-- listed_patterns: one row per submission and suspicious pattern, of each the most suspicious ones, these first.
SELECT
    pattern, labels, metric, sentences, failed, failure_rate, base_rate, suspicion, p_holm,
    submission_id
FROM suspicious_patterns
WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions)
    AND list_contains($submissions, submission_id)
    AND suspicious
QUALIFY row_number() OVER (
    PARTITION BY submission_id ORDER BY suspicion DESC, pattern, labels, metric
) <= $rows
ORDER BY submission_id, suspicion DESC, pattern, labels, metric;

-- listed_sentences: one row per sentence of a submission in the order asked for, scores that are undefined last.
SELECT
    sentence_no, sent_id, COLUMNS(lambda name: list_contains($measures, name)),
    adequacy_z, length, depth, reference, output
FROM output_scores
WHERE submission_id = $submission
ORDER BY $direction * $sort NULLS LAST, sentence_no
LIMIT $rows OFFSET $start;

-- listed_tags: one row per tag of a campaign, system, treebank or submission; a note is the tag note.
SELECT name, value
FROM tag
WHERE kind = $kind AND target = $target
UNION ALL
SELECT key, value ->> '$'
FROM submission, json_each(coalesce(tags, '{}'))
WHERE $kind = 'submission' AND submission_id = $target
ORDER BY name;

-- pattern_submissions: one row per submission and error mining in which a subtree pattern was mined: how it goes with failure, most suspicious first.
SELECT
    submission_id, system_kind, year, treebank_id, labels, metric, pattern,
    sentences, failed, failure_rate, base_rate, suspicion, p_holm, suspicious
FROM suspicious_patterns
WHERE pattern = $pattern AND ($labels IS NULL OR labels = $labels)
ORDER BY suspicious DESC, suspicion DESC, submission_id, labels, metric
LIMIT $rows;

-- pattern_treebanks: one row per treebank in which a subtree pattern was enumerated: in how many sentences it is.
SELECT
    treebank_id, labels,
    len(sentence_nos) AS sentences,
    len(sentence_nos) / treebank.sentences AS share
FROM subtree
JOIN treebank USING (treebank_id)
WHERE pattern = $pattern AND ($labels IS NULL OR labels = $labels)
ORDER BY share DESC, treebank_id, labels;

-- relation_submissions: one row per submission whose references have a dependency relation: how much of it is found, the best of a treebank first.
SELECT
    submission_id, system_kind, year, treebank_id,
    edges, round(edges * (1 - dea))::BIGINT AS missed, dea
FROM dea_by_relation
WHERE deprel = $deprel
ORDER BY treebank_id, dea DESC, submission_id
LIMIT $rows;

-- sentence_edges: one row per edge of a sentence's reference, by the number of its dependent: whether a submission's output has it.
SELECT token_no, found::BOOLEAN AS found
FROM edge_match
SEMI JOIN current_scoring USING (submission_id, signature_id)
WHERE submission_id = $submission AND sentence_no = $sentence_no;

-- sentences_changed: one row per sentence whose scores by a metric are within two ranges and rose, fell or either, in the order of listed_pair_sentences.
SELECT sentence_no
FROM sentence_pairs
WHERE submission_id = $new AND base_submission_id = $base AND metric = $metric
    AND ($sign = 0 OR $sign * change > 0)
    AND score BETWEEN $from AND $to
    AND base_score BETWEEN $base_from AND $base_to
ORDER BY abs(change) DESC, sentence_no;

-- start_changes: How did each system change from run to run?
SELECT submission_id, base_submission_id, created_at, bleu, bleu_change, dea, dea_change
FROM submission_history
ORDER BY system_id, treebank_id, iteration;

-- start_outputs: Which long sentences come out worst?
SELECT treebank_id, sentence_no, submission_id, length, dea, reference, output
FROM output_scores
WHERE length > 15
ORDER BY dea
LIMIT 50;

-- start_relations: Which dependency relations are hardest, on average over submissions?
SELECT deprel, count(*) AS submissions, sum(edges) AS edges, avg(dea) AS dea
FROM dea_by_relation
GROUP BY deprel
ORDER BY dea;

-- start_scores: Which systems are best on a treebank?
SELECT treebank_id, system_id, bleu, dea, adequacy_z, fluency_z
FROM leaderboard
QUALIFY is_newest(leaderboard)
ORDER BY treebank_id, dea DESC;

-- start_texts: What was never generated?
SELECT submission_id, sentence_no, sentence.text AS reference
FROM output
JOIN submission USING (submission_id)
JOIN sentence USING (treebank_id, sentence_no)
WHERE output.text IS NULL
ORDER BY submission_id, sentence_no;

-- needs_attention: one row per reason why somebody should look at a system's newest run on a test set, the newest runs first.
WITH run AS (
    SELECT
        submission.*,
        system.kind AS system_kind,
        previous_run(submission) AS base_submission_id
    FROM submission
    JOIN system USING (system_id)
),
newest AS (
    SELECT *
    FROM run
    WHERE system_kind <> 'human'
    QUALIFY is_newest(run)
),
looked_at AS (
    SELECT
        submission_id, base_submission_id, created_at, sentences, outputs,
        unnest([
            CASE WHEN outputs < sentences THEN 'incomplete' END,
            CASE
                WHEN outcome IN ('worse', 'mixed') THEN outcome
                WHEN outcome IN ('untested', 'nothing in common') THEN 'not comparable'
                WHEN base_submission_id IS NOT NULL AND outcome IS NULL THEN 'not compared'
            END
        ]) AS reason
    FROM (
        SELECT newest.*, output_count.sentences, output_count.outputs, current_comparison.outcome
        FROM newest
        JOIN output_count USING (submission_id)
        LEFT JOIN current_comparison USING (submission_id, base_submission_id)
    )
)
SELECT submission_id, base_submission_id, reason, sentences, outputs
FROM looked_at
WHERE reason IS NOT NULL
ORDER BY created_at DESC, submission_id, reason
LIMIT $rows;

-- tested_runs: one row per run of a system whose comparison with the run before is stored: what that says of one measure.
-- $submissions: the runs that are looked at.
SELECT
    change.submission_id, change.significant, change.difference AS change, change.low, change.high,
    change.p_holm
FROM (
    SELECT submission_id, previous_run(submission) AS base_submission_id
    FROM submission
    WHERE system_id = $system
) AS run
JOIN measure_changes AS change USING (submission_id, base_submission_id)
WHERE list_contains($submissions, change.submission_id)
    AND change.measure = $measure
    AND change.significant IS NOT NULL;

-- years_of_systems: one row per kind of systems, those of most years first: teams' systems or baselines, in how many years they are.
SELECT kind, count(DISTINCT year) AS years
FROM submission
JOIN system USING (system_id)
JOIN campaign USING (campaign_id)
WHERE year IS NOT NULL AND kind <> 'human'
GROUP BY kind
ORDER BY years DESC, kind = 'team' DESC;

-- listed_flaky: one row per sentence of a submission whose score by a metric differs between trials, those that differ most first.
-- $submission, $metric; $rows: so many.
SELECT
    sentence_no,
    sent_id,
    reference,
    trials,
    distinct_outputs,
    passed,
    mean,
    sd,
    lowest,
    highest,
    submission_id,
    treebank_id
FROM flaky_sentences
WHERE submission_id = $submission AND metric = $metric
ORDER BY sd DESC, sentence_no
LIMIT $rows;

-- listed_trials: one row per metric that several trials of a submission are scored by: their mean, and how much they vary.
-- $submission.
SELECT
    metric,
    count(score)       AS trials,
    avg(score)         AS mean,
    stddev_samp(score) AS sd,
    min(score)         AS lowest,
    max(score)         AS highest,
    submission_id
FROM trial_scores
WHERE submission_id = $submission
GROUP BY ALL
HAVING count(score) > 1
ORDER BY metric;

-- years_measures: one row per measure that systems are followed by over the years.
SELECT DISTINCT measure, kind = 'human' AS human
FROM submission_measures
JOIN campaign USING (campaign_id)
WHERE campaign.year IS NOT NULL AND kind IN ('metric', 'human') AND score IS NOT NULL
ORDER BY human, measure;
