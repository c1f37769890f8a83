-- Two campaigns of a test set: runs of a team, a baseline and people.
INSERT INTO campaign VALUES ('C', 'C', 2024, NULL), ('D', 'D', 2023, NULL);
INSERT INTO system VALUES ('ours', NULL, 'team', NULL, NULL),
    ('base', NULL, 'baseline', NULL, NULL), ('gold', NULL, 'human', NULL, NULL);
INSERT INTO treebank VALUES
    ('tb', 'en', NULL, 'ud', '1.0', 'test', [], NULL, false, 4, 8, 'f', 'x');
INSERT INTO reference_edge
    SELECT 'tb', n, 1, 2, 'obl', 'a', 'b', 'X', 'X', -1 FROM range(1, 5) AS r (n);
INSERT INTO reference_edge
    SELECT 'tb', n, 3, 2, 'obj', 'c', 'b', 'X', 'X', 1 FROM range(1, 5) AS r (n);
INSERT INTO token BY NAME SELECT 'tb' AS treebank_id, n AS sentence_no, token_no, 'w' AS form,
    true AS space_after, if(token_no = 2, 0, 2) AS head, ['obl', 'root', 'obj'][token_no] AS deprel
    FROM range(1, 5) AS r (n), range(1, 4) AS t (token_no);
INSERT INTO submission BY NAME
    SELECT campaign_id || '/' || system_id || '/tb' || if(iteration > 1, '@' || iteration, '')
        AS submission_id, campaign_id, system_id, 'tb' AS treebank_id, 'shallow' AS track,
        iteration, now() AS created_at, 'text' AS reference_form, 'reference' AS analysis,
        '{}' AS params, '{}' AS tags, 'f' AS source, 'h' AS sha256
    FROM (VALUES ('C', 'ours', 1), ('C', 'ours', 2), ('C', 'base', 1), ('C', 'gold', 1),
        ('D', 'base', 1), ('D', 'gold', 1)) AS runs (campaign_id, system_id, iteration);
INSERT INTO output SELECT submission_id, n, 'w' FROM submission, range(1, 5) AS r (n);
INSERT INTO scoring BY NAME SELECT submission_id AS target, 'dea' AS metric, 'dea' AS signature_id,
    'h' AS data_sha256, 't' AS tool, now() AS scored_at, 1 AS revision FROM submission;
INSERT INTO signature BY NAME SELECT 'dea' AS signature_id, 'dea' AS signature, 'dea' AS metric,
    '{}' AS parameters, 'none' AS text_level, 'none' AS tokeniser, '{}' AS versions,
    'tb' AS treebank_id, 'x' AS data_sha256;
INSERT INTO reference_edges
    SELECT 'tb', n, [1, 3], ['obl', 'obj'], [1, 3], [-1, 1] FROM range(1, 5) AS r (n);
INSERT INTO edge_outcome
    SELECT 'dea', submission_id, n, [n <= right_ones, true]
    FROM (VALUES ('C/ours/tb', 0), ('C/ours/tb@2', 2), ('C/base/tb', 1), ('C/gold/tb', 4),
        ('D/base/tb', 3), ('D/gold/tb', 4)) AS found (submission_id, right_ones),
        range(1, 5) AS r (n);
