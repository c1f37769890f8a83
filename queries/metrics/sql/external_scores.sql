-- external_scores: the scores of sentences and of the whole that come in place of what is stored, where they differ.
-- Sentences are those given, else those stored; the whole is what is given, now or before, else their mean: that
-- too where both are the same number but for rounding.
CREATE OR REPLACE TEMP TABLE new_sentence AS
SELECT
    side.signature_id,
    side.submission_id,
    output.sentence_no,
    output.text IS NOT NULL
        AND if(side.gives_sentences, given_sentence.submission_id, stored.score::VARCHAR) IS NULL AS is_left_out,
    CASE WHEN side.gives_sentences THEN given_sentence.score ELSE stored.score END AS score
FROM external_side AS side
JOIN output ON output.submission_id = side.submission_id
LEFT JOIN given_sentence
    ON given_sentence.submission_id = side.submission_id
    AND given_sentence.sentence_no = output.sentence_no
LEFT JOIN sentence_score AS stored
    ON stored.submission_id = side.submission_id
    AND stored.signature_id = side.signature_id
    AND stored.sentence_no = output.sentence_no;

CREATE OR REPLACE TEMP TABLE new_submission AS
WITH pooled AS (
    SELECT
        submission_id,
        avg(score ORDER BY sentence_no) AS mean,
        count(score) AS scored,
        count(*) AS outputs,
        count_if(is_left_out) AS left_out
    FROM new_sentence
    GROUP BY submission_id
)
SELECT
    signature_id,
    submission_id,
    CASE
        WHEN gives_whole AND coalesce(abs(given_score - mean) > 1e-9 * greatest(1, abs(mean)), true)
            THEN given_score
        WHEN NOT gives_whole AND whole_was_given AND (differing_sentence IS NULL OR stored_sentences = 0)
            THEN stored_score
        ELSE mean
    END AS score,
    scored,
    outputs,
    scored > 0 AND left_out > 0 AS is_partial
FROM external_side
JOIN pooled USING (submission_id);

CREATE OR REPLACE TEMP TABLE changed_external AS
SELECT
    side.submission_id, side.signature_id, side.is_stored,
    new_submission.score IS NOT NULL AND NOT is_partial AS may_be_chosen
FROM external_side AS side
JOIN new_submission USING (submission_id)
WHERE NOT side.is_stored
    OR side.differing_sentence IS NOT NULL
    OR new_submission.score IS DISTINCT FROM side.stored_score;
