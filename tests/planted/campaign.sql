-- Faults to plant in the small campaign, each below the audit that finds it.
-- A statement ends with its line; ;; where another is part of the fault.

-- error_spans
INSERT INTO judgement VALUES ('C20', 1, 'a', NULL, NULL, NULL, 'en_one-ud1.0-test', 1, 'mqm',
    'reference', -1, NULL, []);

-- grammar
INSERT INTO rule_set VALUES ('x', 'x', 1, NULL, NULL, 'ud', NULL, '{}', 'f', 'h', 2, 't', now());
INSERT INTO grammar_rule VALUES ('x', 'det-DET-NOUN:Case', 'agreement', 'det', 'DET', 'NOUN',
    'Case', NULL, ['Acc'], 1, 1, NULL, NULL, NULL);
INSERT INTO rule_check SELECT 's', submission_id, sentence_no, 'r', 1, 1, 2 FROM output;
INSERT INTO reference_rule_check VALUES ('s', 'x', 1, 'r', 1, 1, 0);

-- graphs
INSERT INTO gold_graph VALUES ('x', 1, '(a / b)', 1, 1, NULL);
INSERT INTO output_graph SELECT submission_id, 'p/1', sentence_no, '(a / b)', 1, 0, NULL, NULL
    FROM output;

-- human_evaluation
DELETE FROM judgement;

-- analysis_runs
DELETE FROM analysis WHERE analysis = 'correlation';
UPDATE correlation SET coefficient = NULL, undefined_reason = NULL;

-- subtrees
INSERT INTO subtree VALUES ('en_one-ud1.0-test', 'deprel', '(x)', 1, [1]);

-- mining
UPDATE suspicion SET failed = sentences + 1;
DELETE FROM error_mining;

-- significance
INSERT INTO score_interval VALUES ('x', 'x', 'bleu', 99, 1, 0.9, 9, 0.5, 0.4, 0.6, NULL,
    'sentence', 9);

-- token_sentence_no
UPDATE token SET sentence_no = 99 WHERE sentence_no = 1;

-- sentence_complexity_sentence_no
UPDATE sentence_complexity SET treebank_id = 'x' WHERE sentence_no = 1;

-- sentence_treebank_id
DELETE FROM treebank WHERE treebank_id LIKE 'en_hid%';

-- campaign_treebank_campaign_id
DELETE FROM campaign;

-- treebank_counts
DELETE FROM token WHERE treebank_id = 'en_one-ud1.0-test' AND sentence_no = 1 AND token_no = 1;
UPDATE sentence SET sentence_no = 40 WHERE treebank_id = 'en_one-ud1.0-test' AND sentence_no =
    16;
DELETE FROM sentence WHERE treebank_id = 'en_one-ud1.0-test';

-- trees
UPDATE token SET head = 0 WHERE treebank_id = 'en_one-ud1.0-test' AND sentence_no = 1;
UPDATE token SET head = 77 WHERE treebank_id = 'en_one-ud1.0-test' AND sentence_no = 1 AND head
    <> 0;
UPDATE token SET head = token_no WHERE treebank_id = 'en_one-ud1.0-test' AND sentence_no = 1 AND
    head <> 0;
UPDATE token SET head = NULL WHERE treebank_id = 'en_one-ud1.0-test' AND sentence_no = 1 AND
    head <> 0;
DELETE FROM token WHERE treebank_id = 'en_one-ud1.0-test' AND sentence_no = 1;
INSERT INTO multiword_token VALUES ('en_one-ud1.0-test', 1, 3, 99, 'x', NULL, NULL, true);

-- analyses
DELETE FROM sentence_complexity WHERE treebank_id = 'en_one-ud1.0-test' AND sentence_no = 1;
DELETE FROM reference_lemmas WHERE treebank_id = 'en_one-ud1.0-test' AND sentence_no = 1;
UPDATE sentence_complexity SET mdd = NULL WHERE undefined_reason IS NULL;
UPDATE sentence_complexity SET undefined_reason = 'x';
UPDATE sentence_complexity SET mfw = 'nan' WHERE mfw IS NOT NULL;
UPDATE sentence_complexity SET arity = 1.5 WHERE arity IS NOT NULL;
UPDATE reference_edge SET head_token_no = 50 WHERE sentence_no = 1;
UPDATE reference_edge SET distance = -distance WHERE sentence_no = 1;

-- reference_edge_token_no
UPDATE reference_edge SET token_no = 50 WHERE sentence_no = 1;

-- submission_campaign_id
DELETE FROM campaign;

-- submission_system_id
DELETE FROM system WHERE system_id = 'random';

-- submission_treebank_id
DELETE FROM treebank;

-- output_submission_id
DELETE FROM submission WHERE submission_id = 'C20/random/en_one-ud1.0-test';

-- output_words_sentence_no
DELETE FROM output WHERE submission_id = 'C20/random/en_one-ud1.0-test' AND sentence_no = 1;

-- human_score_sentence_no
UPDATE human_score SET sentence_no = 50;

-- judgement_sentence_no
INSERT INTO judgement VALUES ('C20', 1, 'a', NULL, NULL, NULL, 'nowhere', 1, 'fluency',
    'ordinary', 50, NULL, NULL);

-- outputs
DELETE FROM output WHERE submission_id = 'C20/random/en_one-ud1.0-test' AND sentence_no = 3;
INSERT INTO output SELECT submission_id, 50, 'x' FROM submission WHERE submission_id =
    'C20/random/en_one-ud1.0-test';
UPDATE output SET text = '  ' WHERE submission_id = 'C20/random/en_one-ud1.0-test' AND
    sentence_no = 1;
UPDATE output SET text = NULL WHERE submission_id = 'C20/random/en_one-ud1.0-test' AND
    sentence_no = 1;
UPDATE output_words SET lemmas = ['a'] WHERE submission_id = 'C20/random/en_one-ud1.0-test' AND
    len(forms) > 1;
UPDATE output_words SET punctuation = [0] WHERE submission_id = 'C20/random/en_one-ud1.0-test';

-- submission_parents
UPDATE submission SET parent_submission_id = 'x' WHERE submission_id =
    'C20/random/en_one-ud1.0-test@2';
UPDATE submission SET parent_submission_id = submission_id WHERE submission_id =
    'C20/random/en_one-ud1.0-test@2';
UPDATE submission SET parent_submission_id = 'C20/random/en_one-ud1.0-test@3' WHERE
    submission_id = 'C20/random/en_one-ud1.0-test';
UPDATE submission SET created_at = '1999-01-01' WHERE submission_id =
    'C20/random/en_one-ud1.0-test@2';
UPDATE submission SET iteration = 0 WHERE submission_id = 'C20/random/en_one-ud1.0-test';
UPDATE submission SET iteration = 2 WHERE submission_id = 'C20/random/en_one-ud1.0-test';

-- human_values
UPDATE human_score SET z_score = NULL, raw_mean = NULL WHERE sentence_no = 1;
UPDATE human_score SET z_score = 'inf' WHERE sentence_no = 1;
UPDATE human_score SET raw_mean = 101 WHERE sentence_no = 1;
UPDATE human_score SET judgements = 0 WHERE sentence_no = 1;
INSERT INTO judgement VALUES ('C20', 1, 'a', NULL, NULL, NULL, 'en_one-ud1.0-test', 1,
    'fluency', 'ordinary', -1, NULL, NULL);

-- judgements
INSERT INTO judgement VALUES ('C20', 1, 'a', NULL, NULL, NULL, 'en_one-ud1.0-test', 1,
    'fluency', 'ordinary', 50, NULL, NULL);
INSERT INTO judgement VALUES ('C20', 1, 'a', NULL, NULL, NULL, 'en_one-ud1.0-test', 1,
    'fluency', 'guessed', 50, NULL, NULL);
INSERT INTO judgement VALUES ('C20', 1, 'a', NULL, NULL, NULL, 'en_one-ud1.0-test', 1,
    'Fluency', 'reference', 50, NULL, NULL);
INSERT INTO judgement SELECT 'C20', 2, 'a', 'h', 'i', NULL, 'en_one-ud1.0-test', 1, 'fluency',
    'reference', 50, NULL, NULL FROM range(1, 2) AS numbers (n);
INSERT INTO judgement SELECT 'C20', n, 'a', 'h', 'i', NULL, 'en_one-ud1.0-test', 1, 'fluency',
    'reference', 50, NULL, NULL FROM range(1, 3) AS numbers (n);
INSERT INTO judgement SELECT 'C20', 1, 'a', 'h', NULL, (SELECT min(submission_id) FROM
    submission WHERE treebank_id LIKE 'fr_%'), 'en_one-ud1.0-test', 1, 'fluency', 'reference',
    50, NULL, NULL FROM range(1, 2) AS numbers (n);

-- sentence_score_signature_id
DELETE FROM signature WHERE metric = 'dea';

-- edge_outcome_sentence_no
UPDATE edge_outcome SET sentence_no = 50 WHERE sentence_no = 1;

-- ngram_match_sentence_no
UPDATE ngram_match SET sentence_no = 50 WHERE sentence_no = 1;

-- statistic_match_sentence_no
UPDATE statistic_match SET sentence_no = 50 WHERE sentence_no = 1;

-- edit_match_sentence_no
UPDATE edit_match SET submission_id = 'x' WHERE sentence_no = 1;

-- submission_score_submission_id
UPDATE submission_score SET submission_id = 'x' WHERE metric = 'bleu';

-- signature_treebank_id
UPDATE signature SET treebank_id = 'nowhere';

-- scorings
UPDATE reference_edges SET token_nos = [50] WHERE sentence_no = 1;
UPDATE signature SET treebank_id = 'fr_two-ud1.0-test';
DELETE FROM submission_score WHERE metric = 'bleu';
DELETE FROM sentence_score WHERE metric = 'bleu' AND sentence_no = 1 AND submission_id =
    'C20/random/en_one-ud1.0-test';
DELETE FROM edge_outcome WHERE submission_id = 'C20/random/en_one-ud1.0-test' AND sentence_no =
    1;
DELETE FROM scoring WHERE metric = 'bleu';
UPDATE signature SET metric = 'nist' WHERE metric = 'bleu';
DELETE FROM signature WHERE metric = 'chrf';
INSERT INTO signature SELECT * REPLACE ('x' AS signature_id, 's2match' AS metric) FROM signature
    WHERE metric = 'bleu' LIMIT 1;;
INSERT INTO scoring SELECT * REPLACE ('x' AS signature_id, 's2match' AS metric) FROM scoring
    WHERE metric = 'bleu' LIMIT 1;
UPDATE submission SET sha256 = 'other';
UPDATE treebank SET sha256 = 'other';

-- score_values
UPDATE sentence_score SET score = NULL WHERE metric = 'bleu';
UPDATE sentence_score SET undefined_reason = 'x' WHERE score = 0;
UPDATE sentence_score SET score = 'nan' WHERE score = 0;
UPDATE submission_score SET score = 'inf' WHERE metric = 'nist';
UPDATE submission_score SET score = 1.01 WHERE metric = 'dea';
UPDATE submission_score SET score = 43.5 WHERE metric = 'bleu';
UPDATE sentence_score SET score = 1.5 WHERE metric = 'dist';
UPDATE sentence_score SET score = -1 WHERE metric = 'nist4';

-- missing_outputs
UPDATE sentence_score SET score = 0.5 WHERE submission_id LIKE '%partial/en_one%';

-- match_counts
UPDATE ngram_match SET matches = [9, 0, 0, 0] WHERE len(matches) = 4;
UPDATE ngram_match SET matches = [-1, 0, 0, 0] WHERE len(matches) = 4;
UPDATE ngram_match SET matches = [0] WHERE len(matches) = 4;
UPDATE ngram_match SET output_length = output_length + 1;
UPDATE ngram_match SET information = ['nan'::DOUBLE, 0, 0, 0, 0];
UPDATE edit_match SET edits = 10000;
UPDATE edit_match SET edits = -1;
UPDATE edge_outcome SET found = [2];
UPDATE statistic_match SET statistics = ['inf'::DOUBLE];

-- revisions
UPDATE scoring SET revision = NULL WHERE metric = 'bleu';
INSERT INTO scoring SELECT * REPLACE (signature_id || '-' AS signature_id) FROM scoring;
INSERT INTO analysis SELECT * REPLACE (signature_id || '-' AS signature_id, analysed_at -
    INTERVAL 1 HOUR AS analysed_at, revision + 1000 AS revision) FROM analysis;

-- identical_outputs
UPDATE edge_outcome SET found = [0] WHERE submission_id = 'C20/random/en_one-ud1.0-test@3';

-- ingestions
DELETE FROM ingestion WHERE kind = 'treebank';
UPDATE submission SET sha256 = 'other' WHERE submission_id = 'C20/random/en_one-ud1.0-test';
