-- report_mf_scores: one row per submission with scores of meaning: its Meaning by the chosen settings, and its Form and MF-score where there are any.
SELECT
    meaning.submission_id,
    meaning.metric AS measure,
    meaning.parser,
    meaning.precision,
    meaning.recall,
    meaning.f1 AS meaning,
    meaning.upper_bound,
    mf_scores.form,
    mf_scores.mf_1,
    mf_scores.mf_05,
    meaning.sentences,
    meaning.without_graph,
    mf_scores.model
FROM meaning_scores AS meaning
LEFT JOIN mf_scores
    ON mf_scores.submission_id = meaning.submission_id
    AND mf_scores.measure = meaning.metric
    AND mf_scores.parser = meaning.parser
WHERE list_contains($submissions, meaning.submission_id)
ORDER BY meaning.treebank_id, mf_scores.mf_1 DESC NULLS LAST, meaning.f1 DESC, meaning.submission_id, meaning.metric;
