-- compared_errors: one row per pair of sentences of which both outputs could be marked: errors that a measure counts, words judged.
WITH marked AS (
    SELECT
        marked_outputs.submission_id, marked_outputs.sentence_no,
        [
            errors_of($measure, criterion, errors),
            coalesce(words_of(output.text) * judgements, 0)
        ]::DOUBLE[] AS statistics
    FROM marked_outputs
    LEFT JOIN output USING (submission_id, sentence_no)
    WHERE submission_id IN ($new, $base) AND errors_of($measure, criterion, errors) IS NOT NULL
)
SELECT new_no, new.statistics AS new, base.statistics AS base
FROM compared_sentence
JOIN marked AS new ON new.submission_id = $new AND new.sentence_no = new_no
JOIN marked AS base ON base.submission_id = $base AND base.sentence_no = base_no
ORDER BY new_no;
