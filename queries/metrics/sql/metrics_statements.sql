-- choose_settings: the settings of some signatures become the score of test sets that have none chosen of what these decide.
-- $signatures: ids of signatures; of two settings the first in their order is chosen.
-- $elect: whether settings that leave sentences out may be chosen.
INSERT INTO standing_choice
SELECT treebank_id, choice, arg_min(settings, list_position($signatures, signature_id)), now()
FROM signature_settings
WHERE list_contains($signatures, signature_id) AND decides AND ($elect OR NOT is_partial)
    AND (treebank_id, choice) NOT IN (SELECT (treebank_id, metric) FROM standing_choice)
GROUP BY treebank_id, choice;

-- external_conflicts: one row per submission of which other scores are stored than are given.
SELECT
    submission_id,
    CASE WHEN stored_sentences > 0 THEN differing_sentence END AS sentence_no
FROM external_side
WHERE (stored_sentences > 0 AND differing_sentence IS NOT NULL)
    OR (gives_whole AND whole_was_given AND given_score IS DISTINCT FROM stored_score)
ORDER BY submission_id;

-- external_metrics: one row per external metric by which something is scored, in the order of names.
SELECT metric, label, description, version, better, unit, lowest, highest
FROM external_metric
SEMI JOIN scoring USING (metric)
ORDER BY metric;

-- external_targets: one row per submission, or trial of one, whose scores are given: its treebank, the hashes of both, its campaign.
SELECT submission_id, treebank_id, treebank.sha256, scored_run.sha256, campaign_id
FROM scored_run
JOIN treebank USING (treebank_id)
SEMI JOIN (
    SELECT submission_id FROM given_sentence UNION SELECT submission_id FROM given_submission
) AS given USING (submission_id)
ORDER BY submission_id;

-- forget_unused_settings: choices of settings go that nothing is scored with any more.
DELETE FROM standing_choice
WHERE (treebank_id, metric, settings) NOT IN (
    SELECT (treebank_id, choice, settings)
    FROM signature_settings
    SEMI JOIN scoring USING (signature_id)
    WHERE decides
);

-- match_characters: character edits from output to reference, one row of edit_match per output.
INSERT INTO edit_match
SELECT
    signature_id, submission_id, sentence_no,
    character_edits(output_text, reference_text), length(output_text), length(reference_text)
FROM text_pair JOIN pending USING (submission_id);

-- match_chrf: n-grams of characters with the best of the references, one row of statistic_match per output.
INSERT INTO statistic_match
SELECT signature_id, submission_id, sentence_no, chrf_statistics(output_raw, reference_raw, references_raw)
FROM text_pair JOIN pending USING (submission_id);

-- match_chrf_plusplus: n-grams of characters and of words with the best of the references, one row of statistic_match per output.
INSERT INTO statistic_match
SELECT
    signature_id, submission_id, sentence_no,
    chrf_plusplus_statistics(output_raw, reference_raw, references_raw)
FROM text_pair JOIN pending USING (submission_id);

-- match_rouge: n-grams and common subsequences with the best of the references, one row of statistic_match per output.
INSERT INTO statistic_match
SELECT signature_id, submission_id, sentence_no, rouge_statistics(output_raw, reference_raw, references_raw)
FROM text_pair JOIN pending USING (submission_id);

-- match_tokens: token edits from output to reference, one row of edit_match per output.
INSERT INTO edit_match
SELECT
    signature_id, submission_id, sentence_no, found.edits, found.output_length, found.reference_length
FROM (
    SELECT signature_id, submission_id, sentence_no, token_edits(output_text, reference_text) AS found
    FROM text_pair JOIN pending USING (submission_id)
);

-- one_reference: one row per sentence of the submissions at hand: its reference, and no list of several.
CREATE OR REPLACE TEMP VIEW listed_reference AS
SELECT *, NULL::VARCHAR[] AS references_raw, NULL::VARCHAR[] AS references_text
FROM single_reference;

-- remove_chosen_settings: what some signatures decide has no other settings than theirs chosen on their test sets any more.
-- $signatures: ids of signatures.
DELETE FROM standing_choice
WHERE (treebank_id, metric) IN (
        SELECT (treebank_id, choice) FROM signature_settings WHERE list_contains($signatures, signature_id) AND decides
    )
    AND (treebank_id, metric, settings) NOT IN (
        SELECT (treebank_id, choice, settings) FROM signature_settings WHERE list_contains($signatures, signature_id) AND decides
    );

-- scorable_submissions: one row per submission, and further trial of one: what its scores rest on.
SELECT
    submission_id, of_submission_id, treebank_id, reference_form, analysis, scored_run.sha256,
    treebank.sha256 AS treebank_sha256, sentences, treebank.parsed_by, hidden_text, scheme
FROM scored_run
JOIN treebank USING (treebank_id)
ORDER BY treebank_id, submission_id;

-- source_hashes: one row per test set with sources that some submissions are of: the hash of their texts.
-- $submissions: these; NULL for all.
SELECT treebank_id, sha256(string_agg(sentence_no || ' ' || source_text, chr(10) ORDER BY sentence_no)) AS sources_sha256
FROM sentence_source
WHERE source_text IS NOT NULL
    AND treebank_id IN (
        SELECT treebank_id FROM submission WHERE $submissions IS NULL OR list_contains($submissions, submission_id)
    )
GROUP BY treebank_id;

-- settings_of_metric: one row per test set and settings that a metric was computed with.
-- $metric: the metric. $treebanks: of these test sets; NULL for all.
-- grain: treebank_id, settings
SELECT treebank_id, settings
FROM metric_settings
WHERE metric = $metric AND ($treebanks IS NULL OR list_contains($treebanks, treebank_id));
