-- marked_units: one row per word of an output's own tree, or per output by its reference's tree: its relations, and whether errors are marked there.
-- grain: submission_id, sentence_no, criterion, tree, token_no
-- reads: marked_outputs, output_characters, sentence_relations
-- group: internal
-- A word is marked where an error in the output overlaps it, an output where it has a major or critical error.
CREATE OR REPLACE VIEW marked_units AS
SELECT
    submission_id,          -- the submission
    sentence_no,            -- the sentence
    criterion,              -- what was judged
    'output' AS tree,       -- whose relations: the output's own tree, or the reference's
    token_no,               -- the word in the output; NULL for a whole output
    [deprel] AS deprels,    -- universal relation of the word, or the reference's as in sentence_relations
    len(list_filter(
        errors,
        lambda span: NOT span.on_source
            AND span.start_character < end_character
            AND span.end_character > start_character
    )) > 0 AS marked        -- whether it is marked
FROM output_characters
JOIN marked_outputs USING (submission_id, sentence_no)
WHERE parsed AND deprel IS NOT NULL
UNION ALL
SELECT submission_id, sentence_no, criterion, 'reference', NULL, deprels, grave
FROM marked_outputs
JOIN sentence_relations USING (treebank_id, sentence_no);
