-- output_characters: one row per word of a parsed output in which errors could be marked, found in its text: its characters.
-- grain: submission_id, sentence_no, token_no
-- group: internal
-- Words are looked for one after the other, a dozen characters from the end of the one before: parts of multiword tokens,
-- which the text does not have as they are, are not found.
CREATE OR REPLACE VIEW output_characters AS
WITH placed AS (
    SELECT
        submission_id, sentence_no, deprels,
        list_reduce(
            list_transform(
                list_prepend('', forms),
                lambda form: {'form': form, 'places': [[NULL, 0]]::BIGINT[][]}
            ),
            lambda found, word: {
                'form': '',
                'places': list_append(
                    found.places,
                    if(
                        instr(substr(text, found.places[-1][2] + 1, 12 + length(word.form)), word.form) > 0,
                        [
                            found.places[-1][2]
                            + instr(substr(text, found.places[-1][2] + 1, 12 + length(word.form)), word.form) - 1,
                            found.places[-1][2]
                            + instr(substr(text, found.places[-1][2] + 1, 12 + length(word.form)), word.form) - 1
                            + length(word.form)
                        ],
                        [NULL, found.places[-1][2]]
                    )
                )
            }
        ).places[2:] AS places
    FROM output_words
    JOIN output USING (submission_id, sentence_no)
    WHERE deprels IS NOT NULL AND (submission_id, sentence_no) IN (
        SELECT (submission_id, sentence_no) FROM judgement WHERE error_spans IS NOT NULL
    )
),
word AS (
    SELECT
        submission_id, sentence_no,
        generate_subscripts(places, 1)::INTEGER AS token_no,
        unnest(places) AS place,
        unnest(deprels) AS deprel
    FROM placed
)
SELECT
    submission_id,                                          -- the submission
    sentence_no,                                            -- the sentence
    token_no,                                               -- position in the output, from 1
    place[1]::INTEGER AS start_character,                   -- its first character in the text, from 0
    place[2]::INTEGER AS end_character,                     -- the first character after it
    nullif(split_part(deprel, ':', 1), '') AS deprel        -- universal relation, subtype dropped; NULL for a word without one
FROM word
WHERE place[1] IS NOT NULL;
