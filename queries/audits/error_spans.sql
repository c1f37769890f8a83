-- error_spans: one row per marked error that cannot be, and per judgement on mqm whose score is not minus the weights of its errors.
WITH span AS (
    SELECT
        campaign_id, judgement_no, treebank_id, sentence_no, judgement.submission_id, judgement.kind,
        unnest(error_spans) AS error
    FROM judgement
)
SELECT
    'marked error without a place or a weight that can be' AS fault,  -- what is wrong
    campaign_id,                                                      -- the campaign
    judgement_no                                                      -- the judgement's number
FROM span
WHERE (error.start_character IS NULL) <> (error.end_character IS NULL)
    OR NOT coalesce(0 <= error.start_character AND error.start_character <= error.end_character, true)
    OR NOT coalesce(isfinite(error.weight) AND error.weight >= 0, true)
    OR error.severity IS NULL
    OR error.on_source IS NULL
UNION ALL
SELECT 'marked error beyond the end of its text', campaign_id, judgement_no
FROM span
LEFT JOIN output USING (submission_id, sentence_no)
LEFT JOIN sentence_source AS source
    ON source.treebank_id = span.treebank_id
    AND source.sentence_no = span.sentence_no
WHERE span.kind = 'ordinary'
    AND error.start_character > length(if(error.on_source, source.source_text, output.text))
UNION ALL
SELECT 'score on mqm that is not minus the weights of its errors', campaign_id, judgement_no
FROM judgement
WHERE starts_with(criterion, 'mqm')
    AND len(list_filter(error_spans, lambda span: span.weight IS NULL)) = 0
    AND abs(raw_score + coalesce(list_sum(list_transform(error_spans, lambda span: span.weight)), 0)) > 1e-9;
