-- score_dea_precision: edges found by those that an output of its length has, of each output and of each submission.
-- Reads edge_outcome, as dea stored it. A tree has one more edge for each word more.
CREATE OR REPLACE TEMP TABLE edge_precision AS
SELECT
    pending.signature_id, pending.submission_id, output.sentence_no, pending.metric,
    list_sum(found) AS found,
    greatest(
        list_sum(found),
        len(found) - len(reference_lemmas.lemmas) + coalesce(len(forms) - len(punctuation), 0)
    ) AS written
FROM pending
JOIN output USING (submission_id)
LEFT JOIN edge_outcome
    ON edge_outcome.signature_id = pending.statistics_signature_id
    AND edge_outcome.submission_id = pending.submission_id
    AND edge_outcome.sentence_no = output.sentence_no
LEFT JOIN reference_lemmas
    ON reference_lemmas.treebank_id = pending.treebank_id
    AND reference_lemmas.sentence_no = output.sentence_no
LEFT JOIN output_words
    ON output_words.submission_id = pending.submission_id
    AND output_words.sentence_no = output.sentence_no;

INSERT INTO sentence_score
SELECT
    signature_id, submission_id, sentence_no, metric,
    CASE WHEN found IS NOT NULL THEN coalesce(found / nullif(written, 0), 0) END,
    CASE WHEN found IS NULL THEN 'the reference has no edge' END
FROM edge_precision;

INSERT INTO submission_score
SELECT
    signature_id, submission_id, any_value(metric),
    CASE WHEN count(found) > 0 THEN coalesce(sum(found) / nullif(sum(written), 0), 0) END,
    count(found),
    CASE WHEN count(found) = 0 THEN 'the references have no edge' END
FROM edge_precision
GROUP BY signature_id, submission_id;
