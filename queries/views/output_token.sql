-- output_token: one row per analysed word of an output.
-- grain: submission_id, sentence_no, token_no
-- group: load
CREATE OR REPLACE VIEW output_token AS
WITH word AS (
    SELECT
        submission_id,
        sentence_no,
        punctuation,
        generate_subscripts(forms, 1)::INTEGER AS token_no,
        unnest(forms)                          AS form,
        unnest(lemmas)                         AS lemma,
        unnest(upos)                           AS upos,
        unnest(xpos)                           AS xpos,
        unnest(feats)                          AS feats,
        unnest(heads)                          AS head,
        unnest(deprels)                        AS deprel
    FROM output_words
)
SELECT
    submission_id,                          -- the submission
    sentence_no,                            -- the sentence
    token_no,                               -- position in the output, from 1
    CASE WHEN NOT list_contains(punctuation, token_no) THEN
        token_no - len(list_filter(punctuation, lambda place: place < token_no))
    END::INTEGER AS position,               -- position among the words that are not punctuation; NULL for punctuation
    form,                                   -- word form
    CASE WHEN lemma = '' THEN form ELSE lemma END AS lemma, -- lemma
    upos,                                   -- universal part of speech, where the analysis gives one
    xpos,                                   -- language-specific part of speech, where the analysis gives one
    feats,                                  -- morphological features, where the analysis gives them
    head,                                   -- token_no of the head, 0 for the root, where the analysis parses
    deprel                                  -- dependency relation, where the analysis parses
FROM word;
