-- marked_edges: one row per criterion, system and sentence: its reference edges near marked errors and elsewhere, and those found.
-- An edge counts where the forms of both its words are in the output once, so that it is known where they stand. It is near
-- an error where one of them is marked in the output, or stands beside a marked word.
WITH word AS (
    SELECT
        submission_id, treebank_id, sentence_no, criterion, token_no, lower(form) AS form,
        len(list_filter(
            errors,
            lambda span: NOT span.on_source
                AND span.start_character < end_character AND span.end_character > start_character
        )) > 0 AS marked
    FROM output_characters
    JOIN marked_outputs AS marked USING (submission_id, sentence_no)
    WHERE list_contains($submissions, submission_id) AND ($criterion IS NULL OR criterion = $criterion)
),
placed AS (
    SELECT
        submission_id, treebank_id, sentence_no, criterion, form,
        max(marked) OVER (
            PARTITION BY submission_id, sentence_no, criterion
            ORDER BY token_no ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING
        ) AS near
    FROM word
    QUALIFY count(*) OVER (PARTITION BY submission_id, sentence_no, criterion, form) = 1
),
form AS (
    SELECT treebank_id, sentence_no, token_no, lower(form) AS form
    FROM token
    WHERE treebank_id IN (SELECT treebank_id FROM submission WHERE list_contains($submissions, submission_id))
),
at_word AS (
    SELECT submission_id, treebank_id, sentence_no, criterion, token_no, near
    FROM placed
    JOIN form USING (treebank_id, sentence_no, form)
),
outcome AS (
    SELECT submission_id, sentence_no, token_no, found
    FROM edge_match
    SEMI JOIN (FROM current_scoring WHERE metric = 'dea') USING (submission_id, signature_id)
    WHERE list_contains($submissions, submission_id)
)
SELECT
    dependent.criterion,
    system_id,
    dependent.treebank_id,
    dependent.sentence_no,
    count(*) FILTER (WHERE dependent.near OR head.near) AS units,
    coalesce(sum(found) FILTER (WHERE dependent.near OR head.near), 0)::BIGINT AS hits,
    count(*) FILTER (WHERE NOT (dependent.near OR head.near)) AS other_units,
    coalesce(sum(found) FILTER (WHERE NOT (dependent.near OR head.near)), 0)::BIGINT AS other_hits
FROM reference_edge AS edge
JOIN at_word AS dependent
    ON dependent.treebank_id = edge.treebank_id
    AND dependent.sentence_no = edge.sentence_no
    AND dependent.token_no = edge.token_no
JOIN at_word AS head
    ON head.submission_id = dependent.submission_id
    AND head.sentence_no = dependent.sentence_no
    AND head.criterion = dependent.criterion
    AND head.token_no = edge.head_token_no
JOIN outcome
    ON outcome.submission_id = dependent.submission_id
    AND outcome.sentence_no = dependent.sentence_no
    AND outcome.token_no = dependent.token_no
JOIN submission
    ON submission.submission_id = dependent.submission_id
GROUP BY dependent.criterion, system_id, dependent.treebank_id, dependent.sentence_no;
