-- score_mf: MF-score of each output and of a submission, from what graphs share and whether outputs are well formed.
-- Opitz & Frank 2021, equation 1. Statistics are triples matched, of the output's graph and of the
-- gold graph, and whether the output is acceptable, and judged at all; 0 where it is left out.
INSERT INTO statistic_match
SELECT
    target.signature_id,
    target.target,
    output.sentence_no,
    [
        coalesce(matched, 0),
        coalesce(output_triples, 0),
        coalesce(gold_triples, 0),
        if(matched IS NULL, 0, coalesce(form.score, 0)),
        (matched IS NOT NULL AND form.score IS NOT NULL)::INTEGER
    ]::DOUBLE[]
FROM scored_target AS target
JOIN output ON output.submission_id = target.target
LEFT JOIN graph_match
    ON graph_match.signature_id = target.meaning_id
    AND graph_match.submission_id = target.target
    AND graph_match.sentence_no = output.sentence_no
    AND aspect = 'all'
LEFT JOIN sentence_score AS form
    ON form.signature_id = target.form_id
    AND form.submission_id = target.target
    AND form.sentence_no = output.sentence_no;

INSERT INTO sentence_score
WITH scored AS (
    SELECT
        target.signature_id, target.target, statistic_match.sentence_no, target.metric,
        mf_of_sums(statistics, beta) AS score,
        meaning.score AS meaning, meaning.undefined_reason AS meaning_reason,
        form.score AS form, form.undefined_reason AS form_reason
    FROM scored_target AS target
    JOIN statistic_match
        ON statistic_match.signature_id = target.signature_id
        AND statistic_match.submission_id = target.target
    JOIN sentence_score AS meaning
        ON meaning.signature_id = target.meaning_id
        AND meaning.submission_id = target.target
        AND meaning.sentence_no = statistic_match.sentence_no
    JOIN sentence_score AS form
        ON form.signature_id = target.form_id
        AND form.submission_id = target.target
        AND form.sentence_no = statistic_match.sentence_no
)
SELECT
    signature_id, target, sentence_no, metric, score,
    CASE
        WHEN score IS NOT NULL THEN NULL
        WHEN meaning IS NULL THEN 'meaning: ' || meaning_reason
        WHEN form IS NULL THEN 'form: ' || form_reason
        ELSE 'meaning and form are 0'
    END
FROM scored;

INSERT INTO submission_score
WITH summed AS (
    SELECT
        target.signature_id, target.target, target.metric, target.beta,
        [
            sum(statistics[1] ORDER BY sentence_no),
            sum(statistics[2]), sum(statistics[3]), sum(statistics[4]), sum(statistics[5])
        ] AS sums,
        count_if(statistics[3] > 0)::BIGINT AS sentences
    FROM scored_target AS target
    JOIN statistic_match
        ON statistic_match.signature_id = target.signature_id
        AND statistic_match.submission_id = target.target
    GROUP BY ALL
)
SELECT
    signature_id, target, metric, mf_of_sums(sums, beta), sentences,
    CASE
        WHEN mf_of_sums(sums, beta) IS NOT NULL THEN NULL
        WHEN sums[2] + sums[3] = 0 THEN 'no sentence has a meaning'
        WHEN sums[5] = 0 THEN 'no sentence has a form'
        ELSE 'meaning and form are 0'
    END
FROM summed;
