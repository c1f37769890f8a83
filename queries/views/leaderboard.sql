-- leaderboard: one row per submission: its corpus-level scores, best BLEU first within campaign and treebank.
-- grain: submission_id
-- reads: current_scoring, human_summary, mean_score, output_count, submission_identity
-- group: score
-- listed: first
CREATE OR REPLACE VIEW leaderboard AS
WITH score AS (
    SELECT
        submission_id,
        nullif(max(trials), 1) AS trials,
        to_json(map_from_entries(list((metric, signature_id) ORDER BY metric))) AS signatures,
        any_value(score) FILTER (WHERE metric = '{metric}') AS {metric},
    FROM current_scoring
    JOIN mean_score USING (submission_id, metric, signature_id)
    GROUP BY submission_id
)
SELECT
    identity.* EXCLUDE (params, tags),
    submission.reference_form,     -- what surface metrics compare with: text or tokens
    outputs / sentences
        AS coverage,               -- share of sentences with an output, 0 to 1
    score.trials,                  -- trials whose mean scores are: seeds, or samples; NULL where there are no others
    score.{metric},  -- {comment}
    human.adequacy_z,              -- mean z-score of adequacy
    human.fluency_z,               -- mean z-score of fluency
    human.adequacy_raw,            -- mean raw adequacy, 0 to 100
    human.fluency_raw,             -- mean raw fluency, 0 to 100
    human.judged_sentences,        -- sentences with a human score
    score.signatures,              -- by metric, how its score was computed: bleu of two rows is comparable where signatures ->> 'bleu' is the same
    identity.params,
    identity.tags
FROM submission
JOIN submission_identity AS identity ON identity.submission_id = submission.submission_id
JOIN output_count ON output_count.submission_id = submission.submission_id
LEFT JOIN score ON score.submission_id = submission.submission_id
LEFT JOIN human_summary AS human ON human.submission_id = submission.submission_id
ORDER BY submission.campaign_id, submission.treebank_id, bleu DESC NULLS LAST, submission.submission_id;
