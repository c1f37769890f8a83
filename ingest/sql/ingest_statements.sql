-- ancestors: one row per run that a run was developed from, over all generations, and the run itself.
-- grain: submission_id
WITH RECURSIVE line AS (
    SELECT submission_id, parent_submission_id
    FROM submission
    WHERE submission_id = $submission
    UNION
    SELECT parent.submission_id, parent.parent_submission_id
    FROM submission AS parent
    JOIN line ON parent.submission_id = line.parent_submission_id
)
SELECT submission_id FROM line;

-- dated_before_parent: one row per run that is older than its parent, with both dates in UTC, where $runs has either.
-- grain: submission_id
SELECT
    run.submission_id,
    strftime(run.created_at AT TIME ZONE 'UTC', $format) AS created,
    parent.submission_id AS parent_submission_id,
    strftime(parent.created_at AT TIME ZONE 'UTC', $format) AS parent_created
FROM submission AS run
JOIN submission AS parent ON parent.submission_id = run.parent_submission_id
WHERE
    list_has_any($runs, [run.submission_id, parent.submission_id])
    AND run.created_at < parent.created_at
ORDER BY run.submission_id;

-- delete_replaced_scores: forget people's scores that those staged take the place of: their own, and their source's.
DELETE FROM human_score
WHERE
    (submission_id, criterion) IN (SELECT (submission_id, criterion) FROM staged_scores)
    AND (
        source = $source
        OR (submission_id, sentence_no, criterion)
        IN (SELECT (submission_id, sentence_no, criterion) FROM staged_scores)
    );

-- document_sentences: one row per sentence of a treebank whose document is known, in order, and what it is called.
SELECT document_id, sentence_no, coalesce(sent_id, sentence_no::VARCHAR) AS sentence
FROM sentence
JOIN sentence_source USING (treebank_id, sentence_no)
WHERE lower(treebank_id) = lower($treebank) AND document_id IS NOT NULL
ORDER BY sentence_no;

-- first_of_several: one row per submission, among some, that is the first of several runs of a system.
SELECT run.submission_id
FROM submission AS run
SEMI JOIN (SELECT * FROM submission WHERE iteration > 1) AS later
    USING (campaign_id, system_id, treebank_id, track)
WHERE run.iteration = 1 AND list_contains($submissions, run.submission_id)
ORDER BY run.submission_id;

-- form_before: one row, the reference form of a run's parent, else of the system's nearest iteration on the same track.
SELECT reference_form
FROM submission
WHERE
    treebank_id = $treebank
    AND submission_id <> $own
    AND (
        submission_id = $parent
        OR (campaign_id = $campaign AND system_id = $system AND track = $track)
    )
ORDER BY submission_id = $parent DESC NULLS LAST, abs(iteration - $iteration), iteration
LIMIT 1;

-- form_external_outputs: one row per output of the submissions that external probabilities are for.
SELECT
    output.submission_id,
    scope.model,
    output.sentence_no,
    external.tokens,
    if(output.text IS NULL, NULL, external.probability) AS probability,
    CASE
        WHEN output.text IS NULL THEN 'there is no output'
        WHEN external.probability IS NULL THEN 'no probability was given'
    END AS undefined_reason
FROM (SELECT DISTINCT submission_id, model FROM external_probability) AS scope
JOIN output USING (submission_id)
LEFT JOIN external_probability AS external USING (submission_id, model, sentence_no)
ORDER BY scope.model, output.submission_id, output.sentence_no;

-- form_external_references: one row per reference sentence, kind of its text and model that an external probability is for.
SELECT
    treebank_id,
    reference_form,
    model,
    sentence_no,
    NULL::INTEGER AS tokens,
    any_value(reference_probability) AS probability,
    NULL::VARCHAR AS undefined_reason,
    count(DISTINCT reference_probability) AS different,
    max(record) AS record
FROM external_probability
JOIN submission USING (submission_id)
WHERE reference_probability IS NOT NULL
GROUP BY ALL
ORDER BY record;

-- form_outdated: one row per submission and signature whose form rests on probabilities that changed.
CREATE OR REPLACE TEMP TABLE form_outdated AS
WITH changed AS (
    SELECT submission_id, model FROM changed_output_probability
    UNION
    SELECT submission.submission_id, rows.model
    FROM changed_reference_probability AS rows
    JOIN submission USING (treebank_id, reference_form)
)
SELECT changed.submission_id, signature.signature_id
FROM changed
JOIN signature
    ON signature.metric = 'form'
    AND (signature.parameters ->> '$.model') = changed.model;

-- go_on_counting: lets the scores of outputs whose words changed rest on the outputs as they are then.
-- $target: a submission, or what a trial is stored under; $sha256: its new hash.
UPDATE scoring SET data_sha256 = $sha256
WHERE target = $target AND data_sha256 = (
    SELECT sha256 FROM submission WHERE submission_id = $target
    UNION ALL
    SELECT sha256 FROM trial WHERE trial_submission_id = $target AND trial_no > 1
);

-- gone_human_scores: one row per stored score of a source that is not among those staged of its submissions and criteria.
SELECT submission_id, sentence_no, criterion
FROM human_score
SEMI JOIN staged_scores USING (submission_id, criterion)
WHERE
    source = $source
    AND (submission_id, sentence_no, criterion)
    NOT IN (SELECT (submission_id, sentence_no, criterion) FROM staged_scores);

-- known_run: the first iteration of a system on a test set that has content of some hash, and how its references are told.
SELECT submission_id, reference_form
FROM submission
WHERE
    campaign_id = $campaign AND system_id = $system AND treebank_id = $treebank
    AND list_contains($hashes, sha256) AND iteration = coalesce($iteration, iteration)
ORDER BY iteration
LIMIT 1;

-- new_human_scores: one row per staged score of people's that is not stored as it is.
SELECT * EXCLUDE (source) FROM staged_scores
EXCEPT
SELECT submission_id, sentence_no, criterion, z_score, raw_mean, judgements FROM human_score;

-- note_missing_outputs: note that submissions have no output for the sentences that are new in a treebank.
INSERT INTO output
SELECT submission_id, sentence_no, NULL
FROM (
    SELECT submission_id, treebank_id FROM submission
    UNION SELECT trial_submission_id, treebank_id FROM trial JOIN submission USING (submission_id)
)
JOIN sentence USING (treebank_id)
ANTI JOIN output USING (submission_id, sentence_no)
WHERE treebank_id = $treebank;

-- register_campaign: make a campaign known, or add what is said of it.
MERGE INTO campaign USING (SELECT $id::VARCHAR AS campaign_id) USING (campaign_id)
WHEN MATCHED THEN UPDATE SET
    name = coalesce($name, campaign.name),
    year = coalesce($year, campaign.year),
    description = coalesce($text, campaign.description)
WHEN NOT MATCHED THEN INSERT VALUES ($id, coalesce($name, $id), coalesce($year, $guess), $text);

-- register_system: make a system known, or add what is said of it.
MERGE INTO system USING (SELECT $id::VARCHAR AS system_id) USING (system_id)
WHEN MATCHED THEN UPDATE SET
    team = coalesce($team, system.team),
    kind = coalesce($kind, system.kind),
    description = coalesce($text, system.description),
    family = coalesce($family, system.family)
WHEN NOT MATCHED THEN INSERT VALUES ($id, $team, coalesce($kind, 'team'), $text, $family);

-- rules_of_set: one row per rule of a rule set, with the language and the name of the set.
SELECT language, rule_set.name, grammar_rule.* EXCLUDE (rule_set_id)
FROM grammar_rule
JOIN rule_set USING (rule_set_id)
WHERE rule_set_id = $rule_set
ORDER BY kind, deprel, dependent_upos, head_upos, feature;

-- scores_of_source: one row per score of people's on a criterion, in a campaign and treebank, that came from a source.
SELECT submission_id, sentence_no
FROM human_score
JOIN submission USING (submission_id)
WHERE
    human_score.source = $source AND criterion = $criterion
    AND campaign_id = $campaign AND treebank_id = $treebank;

-- scores_of_words: what was computed from words, of the submissions to a treebank: scores of lemmas, edges and rules, analyses.
CREATE OR REPLACE TEMP TABLE of_words AS
SELECT submission_id, signature_id
FROM signature
JOIN (
    SELECT submission_id, treebank_id FROM submission
    UNION SELECT trial_submission_id, treebank_id FROM trial JOIN submission USING (submission_id)
) AS run USING (treebank_id)
WHERE treebank_id = $treebank AND text_level IN ('lemmas', 'edges', 'trees')
UNION
SELECT submission_id, signature_id
FROM analysis
JOIN submission USING (submission_id)
WHERE treebank_id = $treebank;

-- store_tags: gives a submission other tags.
UPDATE submission
SET tags = $tags
WHERE submission_id = $submission;

-- same_references: one row per test set of plain text with the same first references, by name: the hashes of its other references.
SELECT
    treebank_id,
    list(ingestion.sha256) FILTER (ingestion.sha256 IS NOT NULL) AS others
FROM treebank
LEFT JOIN ingestion
    ON kind = 'alternative_reference' AND starts_with(target, treebank_id || ' ')
WHERE scheme = $scheme AND NOT hidden_text AND treebank.sha256 = $sha256
GROUP BY treebank_id
ORDER BY treebank_id;

-- submitted_run: one row: the language of a submission's treebank, whether it has words, and its parent, NULL where that is not loaded.
SELECT
    treebank.language,
    treebank.tokens > 0 AS has_words,
    (SELECT submission_id FROM submission WHERE submission_id = run.parent_submission_id) AS parent
FROM submission AS run
JOIN treebank USING (treebank_id)
WHERE run.submission_id = $submission;

-- test_sets_of_system: one row per treebank or test set that a system of a campaign has outputs for; where it has none, that others of the campaign have outputs for, or else that is loaded.
WITH candidate AS (
    SELECT treebank_id, if(system_id = $system, 1, 2) AS distance
    FROM submission
    WHERE campaign_id = $campaign
    UNION ALL
    SELECT treebank_id, 3
    FROM treebank
)

SELECT DISTINCT treebank_id
FROM candidate
WHERE distance = (SELECT min(distance) FROM candidate)
ORDER BY treebank_id;

-- texts_of_others: one row per row of named_texts whose text is neither the output for its sentence nor the reference, in order.
SELECT row, submission_id, sentence_no, coalesce(output.text, sentence.text) AS output
FROM named_texts AS named
JOIN submission USING (submission_id)
LEFT JOIN sentence USING (treebank_id, sentence_no)
LEFT JOIN output USING (submission_id, sentence_no)
WHERE NOT list_contains(
    list_transform([output.text, sentence.text], lambda text: trim(nfc_normalize(text))),
    trim(nfc_normalize(named.text))
)
ORDER BY row
LIMIT 1;

-- training_split: one row: what is learned from for a treebank, the training or else the development split of its corpus.
SELECT other.treebank_id
FROM treebank
JOIN treebank AS other
    ON other.language = treebank.language
    AND other.corpus IS NOT DISTINCT FROM treebank.corpus
    AND other.scheme = treebank.scheme
    AND other.version IS NOT DISTINCT FROM treebank.version
WHERE treebank.treebank_id = $treebank
    AND other.treebank_id <> treebank.treebank_id
    AND other.split IN ('train', 'dev')
    AND NOT other.hidden_text
ORDER BY other.split DESC
LIMIT 1;

-- treebank_versions: one row per version of a treebank that was loaded from a file of that name.
SELECT treebank_id, version, sha256
FROM treebank
WHERE
    source = $source AND scheme = $scheme AND version IS NOT NULL
    AND (language, corpus, split) IS NOT DISTINCT FROM ($language, $corpus, $split)
ORDER BY treebank_id;

-- treebank_words: one row per word of a treebank, in order.
SELECT sentence_no, token_no, form, lemma, upos, head, deprel
FROM token
WHERE treebank_id = $treebank
ORDER BY sentence_no, token_no;

-- unvaried_annotators: one row per annotator of the file and criterion on which all their judgements are one score.
SELECT
    annotator_id,
    criterion,
    count(*) AS judgements,
    any_value(raw_score) AS raw_score,
    any_value(record) AS record
FROM judgement
JOIN (
    SELECT annotator_id, criterion, min(record) AS record FROM staged_judgements GROUP BY ALL
) USING (annotator_id, criterion)
WHERE campaign_id = $campaign
GROUP BY annotator_id, criterion
HAVING min(raw_score) = max(raw_score)
ORDER BY min(record), criterion;

-- teams: one row per system whose team is known.
SELECT system_id, team FROM system WHERE team IS NOT NULL;
