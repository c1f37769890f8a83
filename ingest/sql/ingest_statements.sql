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
FROM submission
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

-- submitted_run: one row: the language of a submission's treebank, and its parent, NULL where that is not loaded.
SELECT
    treebank.language,
    (SELECT submission_id FROM submission WHERE submission_id = run.parent_submission_id) AS parent
FROM submission AS run
JOIN treebank USING (treebank_id)
WHERE run.submission_id = $submission;

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
