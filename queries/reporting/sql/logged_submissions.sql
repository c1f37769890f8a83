-- logged_submissions: one row per submission: everything that its run shows, in the order of its system's iterations.
WITH scored AS (
    SELECT submission_id, string_agg(signature_id, ',' ORDER BY signature_id) AS signatures
    FROM current_scoring
    GROUP BY submission_id
),
based AS (
    SELECT
        submission_id,
        previous_run(submission) AS base_submission_id
    FROM submission
),
analysed AS (
    SELECT target AS treebank_id, string_agg(signature_id, ',' ORDER BY signature_id) AS signatures
    FROM scoring
    WHERE target IN (SELECT treebank_id FROM treebank)
    GROUP BY target
),
judged AS (
    SELECT
        submission_id,
        md5(string_agg(
            concat_ws('|', criterion, sentence_no, coalesce(z_score::VARCHAR, '-'), raw_mean),
            ',' ORDER BY criterion, sentence_no
        )) AS scores
    FROM human_score
    GROUP BY submission_id
),
chosen AS (
    SELECT campaign_id, string_agg(metric, ',' ORDER BY place) AS primary_metrics
    FROM primary_metric
    GROUP BY campaign_id
),
correlated AS (
    SELECT
        submission_id,
        string_agg(signature_id || data_sha256, ',' ORDER BY signature_id) AS correlations
    FROM current_analysis
    JOIN analysis USING (submission_id, signature_id)
    WHERE current_analysis.analysis = 'correlation'
    GROUP BY submission_id
)
SELECT
    submission.submission_id, submission.campaign_id, submission.system_id, submission.treebank_id,
    submission.track, submission.iteration, submission.parent_submission_id,
    epoch_ms(submission.created_at) AS created_ms, epoch_us(submission.created_at) AS created_us,
    submission.reference_form, submission.analysis,
    submission.params, submission.tags, submission.sha256, team, kind,
    language, split, treebank.sentences, tokens, hidden_text,
    treebank.source AS treebank_source, treebank.sha256 AS treebank_sha256,
    scored.signatures, analysed.signatures AS treebank_signatures, judged.scores AS human_scores,
    correlated.correlations, based.base_submission_id, base.sha256 AS base_sha256,
    base_scored.signatures AS base_signatures,
    compared.verdict, compared.relations_verdict, chosen.primary_metrics
FROM submission
JOIN based USING (submission_id)
JOIN system ON system.system_id = submission.system_id
JOIN treebank ON treebank.treebank_id = submission.treebank_id
LEFT JOIN chosen ON chosen.campaign_id = submission.campaign_id
LEFT JOIN submission AS base ON base.submission_id = based.base_submission_id
LEFT JOIN current_comparison AS compared
    ON compared.submission_id = based.submission_id
    AND compared.base_submission_id = based.base_submission_id
LEFT JOIN scored AS base_scored ON base_scored.submission_id = based.base_submission_id
LEFT JOIN scored ON scored.submission_id = submission.submission_id
LEFT JOIN analysed ON analysed.treebank_id = submission.treebank_id
LEFT JOIN judged ON judged.submission_id = submission.submission_id
LEFT JOIN correlated ON correlated.submission_id = submission.submission_id
ORDER BY
    submission.campaign_id, submission.system_id, submission.treebank_id, submission.iteration;
