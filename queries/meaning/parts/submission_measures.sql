-- submission_measures: one row per submission and aspect of meaning.
-- reads: fine_grained_scores
    SELECT
        entry.*,
        'smatch[' || aspect || ']',
        'meaning',
        aspect,
        f1,
        sentences,
        'higher',
        signature_id
    FROM fine_grained_scores
    JOIN entry USING (submission_id)
    WHERE submission_id IS NOT NULL AND aspect <> 'all' AND f1 IS NOT NULL
