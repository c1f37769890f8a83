-- evaluated_comparisons: one row per ordered pair of submissions of what was evaluated, by the annotators whose judgements count.
-- Submissions and those they are compared with come in the order of their places.
SELECT
    compared.campaign_id, compared.treebank_id, compared.criterion,
    compared.submission_id, compared.base_submission_id AS other_submission_id, one.system_id, one.iteration,
    compared.score_difference, compared.u, compared.p_value, compared.p_holm,
    compared.sentences, compared.base_sentences AS other_sentences, compared.documents, compared.design_effect, compared.undefined_reason
FROM human_pairs AS compared
JOIN human_leaderboard AS one USING (submission_id, criterion, annotators)
JOIN human_leaderboard AS base
    ON base.submission_id = compared.base_submission_id
    AND base.criterion = compared.criterion
    AND base.annotators = compared.annotators
WHERE compared.chosen
    AND list_contains(
        $evaluated, {'campaign_id': compared.campaign_id, 'criterion': compared.criterion}
    )
ORDER BY
    compared.campaign_id, compared.treebank_id, compared.criterion,
    one.place, compared.submission_id, base.place, compared.base_submission_id;
