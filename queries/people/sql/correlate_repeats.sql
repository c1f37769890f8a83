-- correlate_repeats: a table with one row per criterion, annotator and HIT with repeats by counted annotators.
-- Pearson's r between repeats and originals (Mille et al. 2018, section 3.2.2), NULL for fewer than $fewest repeats, and
-- where scores do not vary.
CREATE OR REPLACE TEMP TABLE repeat_correlation AS
SELECT
    criterion, annotator_id, hit_id,
    count(*) AS pairs,
    CASE
        WHEN count(*) >= $fewest
            AND min(raw_score) < max(raw_score)
            AND min(original_score) < max(original_score)
        THEN greatest(-1, least(1, corr(raw_score, original_score ORDER BY judgement_no)))
    END AS correlation
FROM judgement_pair
SEMI JOIN counted_annotator USING (annotator_id, criterion)
WHERE kind = 'repeat'
GROUP BY ALL;
