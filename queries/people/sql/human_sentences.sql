-- human_sentences: one row per criterion and output that the $annotators ('all' or 'passing') judged: its mean scores.
-- An annotator's ratings of an output are averaged before they are standardised, and values are added up in
-- ascending order: outputs that were rated alike have the same scores to the last digit, whoever came first.
-- $average is mean, or median: that of the annotators; NULL: median of criteria whose names begin with xsts.
CREATE OR REPLACE TEMP TABLE human_sentence AS
WITH rated AS (
    SELECT
        campaign_id,
        treebank_id,
        criterion,
        submission_id,
        sentence_no,
        annotator_id,
        if(min(raw_score) = max(raw_score), min(raw_score), avg(raw_score ORDER BY raw_score))
            AS raw_score,
        any_value(scale_mean) AS mean,
        any_value(scale_deviation) AS deviation,
        any_value(z_score) AS unvaried,
        count(*) AS judgements
    FROM standardised_judgement
    WHERE $annotators = 'all' OR passed
    GROUP BY ALL
),
standardised AS (
    SELECT
        *,
        if(deviation IS NULL, unvaried, (raw_score - mean) / deviation) AS z_score,
        coalesce($average, if(starts_with(criterion, 'xsts'), 'median', 'mean')) AS average
    FROM rated
)
SELECT
    campaign_id,
    treebank_id,
    criterion,
    submission_id,
    sentence_no,
    CASE
        WHEN any_value(average) = 'median' THEN median(raw_score)
        WHEN min(raw_score) = max(raw_score) THEN min(raw_score)
        ELSE sum(raw_score * judgements ORDER BY raw_score, judgements) / sum(judgements)
    END AS raw_mean,
    CASE
        WHEN any_value(average) = 'median' THEN median(z_score)
        WHEN min(z_score) = max(z_score) THEN min(z_score)
        WHEN min(judgements) = max(judgements) THEN avg(z_score ORDER BY z_score)
        ELSE
            sum(z_score * judgements ORDER BY z_score, judgements)
            / sum(judgements) FILTER (WHERE z_score IS NOT NULL)
    END AS z_mean,
    sum(judgements)::INTEGER AS assessments
FROM standardised
GROUP BY ALL
ORDER BY treebank_id, criterion, submission_id, sentence_no;
