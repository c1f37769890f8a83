-- external_sides: one row per submission whose scores are given: what is given of it, and what is stored.
-- Reads given_sentence (submission_id, sentence_no, score), given_submission (submission_id, score) and
-- pending (submission_id, signature_id). A stored score of the whole that is not the mean was given.
CREATE OR REPLACE TEMP TABLE external_side AS
WITH stored AS (
    SELECT submission_id, count(score) AS scored, avg(score ORDER BY sentence_no) AS mean
    FROM sentence_score JOIN pending USING (submission_id, signature_id)
    GROUP BY submission_id
),
whole AS (
    SELECT submission_id, score
    FROM submission_score JOIN pending USING (submission_id, signature_id)
),
given AS (
    SELECT submission_id, count(*) AS sentences, count(score) AS scored
    FROM given_sentence
    GROUP BY submission_id
),
differing AS (
    SELECT submission_id, min(sentence_no) AS sentence_no
    FROM given_sentence
    FULL JOIN (
        SELECT sentence_score.submission_id, sentence_no, sentence_score.score
        FROM sentence_score JOIN pending USING (submission_id, signature_id)
    ) AS known USING (submission_id, sentence_no)
    WHERE given_sentence.score IS DISTINCT FROM known.score
    GROUP BY submission_id
)
SELECT
    pending.submission_id,
    pending.signature_id,
    whole.submission_id IS NOT NULL AS is_stored,
    coalesce(stored.scored, 0) AS stored_sentences,
    whole.score AS stored_score,
    whole.score IS NOT NULL
        AND NOT coalesce(abs(whole.score - stored.mean) <= 1e-9 * greatest(1, abs(stored.mean)), false)
        AS whole_was_given,
    coalesce(given.sentences, 0) > 0 AS gives_sentences,
    given_submission.submission_id IS NOT NULL AS gives_whole,
    given_submission.score AS given_score,
    CASE WHEN given.sentences > 0 THEN differing.sentence_no END AS differing_sentence
FROM pending
LEFT JOIN stored USING (submission_id)
LEFT JOIN whole USING (submission_id)
LEFT JOIN given USING (submission_id)
LEFT JOIN given_submission USING (submission_id)
LEFT JOIN differing USING (submission_id);
