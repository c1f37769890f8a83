-- output_characters: one row per analysed word of an output in which errors could be marked, found in its text: its characters.
-- grain: submission_id, sentence_no, token_no
-- reads: marked_outputs
-- group: internal
-- Words are looked for one after the other, a dozen characters from the end of the one before: parts of multiword tokens,
-- which the text does not have as they are, are not found.
CREATE OR REPLACE VIEW output_characters AS
WITH placed AS (
    SELECT
        submission_id, sentence_no, forms, deprels, deprels IS NOT NULL AS parsed,
        list_reduce(
            list_transform(
                list_prepend('', forms),
                lambda form: {'form': form, 'places': [[NULL, 0]]::BIGINT[][]}
            ),
            lambda found, word: {
                'form': '',
                'places': list_append(
                    found.places,
                    CASE
                        WHEN instr(substr(text, found.places[-1][2] + 1, 12 + length(word.form)), word.form) > 0 THEN [
                            found.places[-1][2]
                            + instr(substr(text, found.places[-1][2] + 1, 12 + length(word.form)), word.form) - 1,
                            found.places[-1][2]
                            + instr(substr(text, found.places[-1][2] + 1, 12 + length(word.form)), word.form) - 1
                            + length(word.form)
                        ]
                        ELSE [NULL, found.places[-1][2]]
                    END
                )
            }
        ).places[2:] AS places
    FROM output_words
    JOIN output USING (submission_id, sentence_no)
    SEMI JOIN marked_outputs USING (submission_id, sentence_no)
),
word AS (
    SELECT
        submission_id, sentence_no, parsed,
        generate_subscripts(places, 1)::INTEGER AS token_no,
        unnest(places) AS place,
        unnest(forms) AS form,
        unnest(coalesce(deprels, []::VARCHAR[])) AS deprel
    FROM placed
)
SELECT
    submission_id,                                          -- the submission
    sentence_no,                                            -- the sentence
    form,                                                   -- its form
    parsed,                                                 -- whether the output has a tree
    token_no,                                               -- position in the output, from 1
    place[1]::INTEGER AS start_character,                   -- its first character in the text, from 0
    place[2]::INTEGER AS end_character,                     -- the first character after it
    nullif(split_part(deprel, ':', 1), '') AS deprel        -- universal relation, subtype dropped; NULL for a word without one
FROM word
WHERE place[1] IS NOT NULL;
