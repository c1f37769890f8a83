-- sentence_metrics: one row per metric by which some submissions have a score, or may have where their references have words.
-- First come those chosen as primary that have scores of sentences, then what most submissions have these by, but for metrics
-- of words in raw text without blanks; of several the usual one, in such text that of letters.
WITH scored AS (
    SELECT
        metric,
        primary_metric.place,
        submission_score.sentences > 0 AND score IS NOT NULL AS has_sentences,
        reference_form = 'text' AND coalesce(list_contains($without_blanks, language), false) AS is_unspaced
    FROM current_scoring
    JOIN submission_score USING (submission_id, metric, signature_id)
    JOIN submission USING (submission_id)
    JOIN treebank USING (treebank_id)
    LEFT JOIN primary_metric USING (campaign_id, metric)
    WHERE ($submissions IS NULL OR list_contains($submissions, submission_id))
        AND ($campaign IS NULL OR campaign_id = $campaign)
        AND ($treebank IS NULL OR treebank_id = $treebank)
        AND ($system IS NULL OR system_id = $system)
        AND list_contains($metrics, metric)
        AND (score IS NOT NULL OR tokens > 0 OR hidden_text)
)

SELECT metric
FROM scored
GROUP BY metric
ORDER BY
    min(place) FILTER (has_sentences) NULLS LAST,
    count(*) FILTER (has_sentences AND NOT (is_unspaced AND list_contains($of_words, metric))) DESC,
    bool_and(is_unspaced) AND metric <> $of_letters,
    list_position($metrics, metric);
