-- score_form: whether each output is about as probable as its reference, and the share of each submission that is.
-- Opitz & Frank 2021, section 3.3. A missing output is not acceptable; undefined without a probability.
INSERT INTO sentence_score
WITH pair AS (
    SELECT
        target.signature_id,
        target.target,
        target.tolerance,
        output.sentence_no,
        output.text IS NULL OR generated.undefined_reason = 'the text has no token' AS is_empty,
        generated.probability AS probability,
        generated.undefined_reason AS reason,
        reference.probability AS reference_probability,
        reference.undefined_reason AS reference_reason
    FROM scored_target AS target
    JOIN output ON output.submission_id = target.target
    LEFT JOIN output_probability AS generated
        ON generated.submission_id = target.target
        AND generated.model = target.model
        AND generated.sentence_no = output.sentence_no
    LEFT JOIN reference_probability AS reference
        ON reference.treebank_id = target.treebank_id
        AND reference.reference_form = target.reference_form
        AND reference.model = target.model
        AND reference.sentence_no = output.sentence_no
),
judged AS (
    SELECT
        *,
        CASE
            WHEN reference_probability IS NULL THEN NULL
            WHEN is_empty THEN 0
            ELSE form_accepted(probability, reference_probability, tolerance)
        END AS accepted
    FROM pair
)
SELECT
    signature_id, target, sentence_no, 'form', accepted,
    CASE
        WHEN accepted IS NOT NULL THEN NULL
        WHEN reference_probability IS NULL
            THEN 'the reference: ' || coalesce(reference_reason, 'no probability was given')
        WHEN probability IS NULL THEN coalesce(reason, 'no probability was given')
        ELSE 'output and reference have the probability 0'
    END
FROM judged;

INSERT INTO submission_score
SELECT
    target.signature_id, target.target, 'form',
    avg(score ORDER BY sentence_no),
    count(score),
    CASE
        WHEN count(score) > 0 THEN NULL
        WHEN count(DISTINCT undefined_reason) = 1 THEN any_value(undefined_reason)
        ELSE 'no sentence has a score'
    END
FROM scored_target AS target
JOIN sentence_score
    ON sentence_score.signature_id = target.signature_id
    AND sentence_score.submission_id = target.target
GROUP BY ALL;
