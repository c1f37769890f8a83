-- evaluated_comparisons: one row per ordered pair of submissions of what was evaluated, by the annotators whose judgements count.
-- Submissions and those they are compared with come in the order of their places.
SELECT
    compared.campaign_id, compared.treebank_id, compared.criterion,
    compared.submission_id, compared.other_submission_id, one.system_id, one.iteration,
    compared.score_difference, compared.u, compared.p_value, compared.p_holm,
    compared.sentences, compared.other_sentences, compared.documents, compared.design_effect, compared.undefined_reason
FROM human_comparisons AS compared
JOIN human_rankings AS one USING (submission_id, criterion, annotators)
JOIN human_rankings AS other
    ON other.submission_id = compared.other_submission_id
    AND other.criterion = compared.criterion
    AND other.annotators = compared.annotators
WHERE compared.chosen
    AND list_contains(
        $evaluated, {'campaign_id': compared.campaign_id, 'criterion': compared.criterion}
    )
ORDER BY
    compared.campaign_id, compared.treebank_id, compared.criterion,
    one.place, compared.submission_id, other.place, compared.other_submission_id;
