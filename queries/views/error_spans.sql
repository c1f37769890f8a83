-- error_spans: one row per marked error of a judged output: where it is, what it is, and what it costs.
-- grain: submission_id, judgement_no, span_no
-- reads: submission_identity
-- group: people
-- Errors as annotators of MQM (Freitag et al. 2021) and ESA (Kocmi et al. 2024) mark them. Of degraded copies the text is
-- not known, so that they have no marked text.
CREATE OR REPLACE VIEW error_spans AS
WITH span AS (
    SELECT
        campaign_id, judgement_no, annotator_id, submission_id, treebank_id, sentence_no, criterion, kind,
        generate_subscripts(error_spans, 1)::INTEGER AS span_no,
        unnest(error_spans) AS error
    FROM judgement
    WHERE submission_id IS NOT NULL
)
SELECT
    identity.* EXCLUDE (params, tags),
    span.judgement_no,                              -- the judgement
    span.span_no,                                   -- the error within the judgement, from 1
    span.annotator_id,                              -- who marked it
    span.criterion,                                 -- mqm, esa or any other that was judged
    span.kind,                                      -- ordinary, repeat, degraded or reference
    span.sentence_no,                               -- the sentence
    sentence.sent_id,                               -- its sent_id in the treebank
    error.start_character,                          -- its first character, from 0; NULL for what is missing in the text
    error.end_character,                            -- the first character after it
    CASE WHEN span.kind <> 'degraded' THEN
        substr(
            CASE WHEN error.on_source THEN source.source_text ELSE output.text END,
            error.start_character + 1, error.end_character - error.start_character
        )
    END AS marked_text,                             -- the text between them; NULL where the text is not known
    CASE WHEN error.on_source THEN 'source' ELSE 'output' END AS side, -- which text is marked: output or source
    error.category,                                 -- what kind of error, such as accuracy/omission; NULL where the protocol asks for none
    error.severity,                                 -- how bad: minor, major or another word of the protocol
    error.weight,                                   -- what it costs; NULL where the protocol weighs none
    identity.params,
    identity.tags
FROM span
JOIN submission_identity AS identity USING (submission_id)
LEFT JOIN sentence
    ON sentence.treebank_id = span.treebank_id
    AND sentence.sentence_no = span.sentence_no
LEFT JOIN sentence_source AS source
    ON source.treebank_id = span.treebank_id
    AND source.sentence_no = span.sentence_no
LEFT JOIN output
    ON output.submission_id = span.submission_id
    AND output.sentence_no = span.sentence_no;
