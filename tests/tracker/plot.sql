-- A campaign in which the systems a and b were analysed, and c was not.
INSERT INTO campaign VALUES ('C', 'C', 2024, NULL);
INSERT INTO system VALUES ('a', NULL, 'team', NULL, NULL), ('b', NULL, 'team', NULL, NULL),
    ('c', NULL, 'team', NULL, NULL);
INSERT INTO treebank VALUES
    ('tb', 'en', NULL, 'ud', '1.0', 'test', [], NULL, false, 4, 8, 'f', 'x');
INSERT INTO submission
    SELECT 'C/' || system_id || '/tb', 'C', system_id, 'tb', 'shallow', 1, NULL, now(), 'text',
        'reference', '{}', '{}', 'f', system_id
    FROM system;
INSERT INTO analysis
    SELECT kind || system_id, 'C/' || system_id || '/tb', kind, settings, kind || system_id, 'x',
        'test', now(), revision
    FROM (VALUES
        ('correlation', 'method:spearman', 2),
        ('projectivity', 'minimum_share:0.05', 2),
        ('error_mining', 'labels:deprel', 2),
        ('older', 'labels:deprel|quantile:0.5', 1)
    ) AS analyses (kind, settings, revision), (VALUES ('a'), ('b')) AS systems (system_id);
INSERT INTO correlation
    SELECT 'correlation' || system_id, 'C/' || system_id || '/tb', 'spearman', 'sentence',
        measure, other_measure, 4, coefficient, 0.5, 0.5, NULL, 'asked', 3
    FROM (VALUES ('a', 0.25), ('b', 0.75)) AS of_system (system_id, coefficient),
        (VALUES ('bleu', 'dea'), ('bleu', 'mdd'), ('dea', 'mdd')) AS pairs (measure, other_measure);
INSERT INTO projectivity_test VALUES
    ('projectivitya', 'C/a/tb', 'bleu', 3, 1, 0.5, 0.25, 3, 0.5, 1.0, NULL);
INSERT INTO error_mining
    SELECT kind || system_id, 'C/' || system_id || '/tb', 'deprel', 'bleu', 0.25, 0.5, 4, 2, 3, 1,
        NULL
    FROM (VALUES ('error_mining'), ('older')) AS kinds (kind),
        (VALUES ('a'), ('b')) AS systems (system_id);
INSERT INTO suspicion VALUES
    ('error_mininga', 'C/a/tb', '(conj)', 1, 2, 2, 0.01, 0.02),
    ('error_mininga', 'C/a/tb', '(det)', 1, 2, 1, 0.5, 1.0),
    ('error_miningb', 'C/b/tb', '(det)', 1, 2, 2, 0.01, 0.02),
    ('oldera', 'C/a/tb', '(old)', 1, 2, 2, 0.01, 0.02);
INSERT INTO suspicion_node VALUES
    ('error_mininga', 'C/a/tb', 1, NULL, NULL, 0, 4, 2, '(conj)', 1.5, NULL),
    ('error_mininga', 'C/a/tb', 2, 1, true, 1, 2, 2, NULL, NULL, 'no pattern'),
    ('error_mininga', 'C/a/tb', 3, 1, false, 1, 2, 0, NULL, NULL, 'no failure');
