-- pair_judgements: one row per repeated or degraded judgement at hand whose original the annotator judged too.
-- The original is the ordinary judgement of the same output in the same HIT, or in any HIT where that one has none.
CREATE TEMP TABLE judgement_pair AS
WITH original AS (
    SELECT
        annotator_id, criterion, hit_id, submission_id, sentence_no,
        avg(raw_score ORDER BY judgement_no) AS raw_score
    FROM judgement_at_hand
    WHERE kind = 'ordinary'
    GROUP BY ALL
),
anywhere AS (
    SELECT
        annotator_id, criterion, submission_id, sentence_no,
        avg(raw_score ORDER BY judgement_no) AS raw_score
    FROM judgement_at_hand
    WHERE kind = 'ordinary'
    GROUP BY ALL
)
SELECT
    control.annotator_id,
    control.criterion,
    control.hit_id,
    control.kind,
    control.judgement_no,
    control.raw_score,
    coalesce(original.raw_score, anywhere.raw_score) AS original_score
FROM judgement_at_hand AS control
JOIN anywhere USING (annotator_id, criterion, submission_id, sentence_no)
LEFT JOIN original
    ON original.annotator_id = control.annotator_id
    AND original.criterion = control.criterion
    AND original.hit_id IS NOT DISTINCT FROM control.hit_id
    AND original.submission_id = control.submission_id
    AND original.sentence_no = control.sentence_no
WHERE control.kind IN ('repeat', 'degraded')
ORDER BY control.judgement_no;
