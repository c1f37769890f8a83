-- treebank_references: one row per expectation of a sentence, or sentence looked for in training files.
    SELECT 'challenge_check', treebank_id, sentence_no FROM challenge_check
    UNION ALL SELECT 'training_overlap', treebank_id, sentence_no FROM training_overlap
