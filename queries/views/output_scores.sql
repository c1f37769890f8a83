-- output_scores: one row per output: its text, its scores, human scores and the complexity of its reference.
-- grain: submission_id, sentence_no
-- reads: current_scoring, submission_identity
-- group: score
-- listed: first
-- formerly: sentence_scores
-- Scores are gathered of the outputs that are asked for alone, by columns of their submission or by the number of the
-- sentence, as lists: a condition on each for every metric takes half as long again. With a LIMIT and no condition those of
-- all are gathered first: name a submission, a system or a treebank.
CREATE OR REPLACE VIEW output_scores AS
WITH human AS (
    SELECT
        submission_id,
        sentence_no,
        any_value(z_score) FILTER (WHERE criterion = 'adequacy') AS adequacy_z,
        any_value(z_score) FILTER (WHERE criterion = 'fluency')  AS fluency_z
    FROM human_score
    GROUP BY submission_id, sentence_no
)
SELECT
    identity.* EXCLUDE (params, tags),
    output.sentence_no,                           -- the sentence
    sentence.sent_id,                             -- its sent_id in the treebank
    sentence.text AS reference,                   -- the reference text
    source.document_id,                           -- the document it is of; NULL where none is known
    source.domain,                                -- the domain of that, such as news
    output.text AS output,                        -- the generated text; NULL where there is none
    score.scores[list_position(score.metrics, '{metric}')] AS {metric},  -- {comment}
    human.adequacy_z,                             -- z-score of adequacy
    human.fluency_z,                              -- z-score of fluency
    complexity.depth,                             -- tree depth of the reference
    complexity.length,                            -- its words, punctuation stripped
    complexity.mdd,                               -- its mean dependency distance
    complexity.mfs,                               -- its mean flux size
    complexity.mfw,                               -- its mean flux weight
    complexity.arity,                             -- its mean arity
    complexity.projective,                        -- whether its tree is projective
    identity.params,
    identity.tags
FROM submission_identity AS identity
JOIN output
    ON output.submission_id = identity.submission_id
JOIN sentence
    ON sentence.treebank_id = identity.treebank_id
    AND sentence.sentence_no = output.sentence_no
LEFT JOIN sentence_source AS source
    ON source.treebank_id = identity.treebank_id
    AND source.sentence_no = output.sentence_no
LEFT JOIN LATERAL (
    SELECT list(metric) AS metrics, list(score) AS scores
    FROM sentence_score
    SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
    WHERE sentence_score.submission_id = identity.submission_id
        AND sentence_score.sentence_no = output.sentence_no
) AS score
    ON true
LEFT JOIN human
    ON human.submission_id = identity.submission_id
    AND human.sentence_no = output.sentence_no
LEFT JOIN sentence_complexity AS complexity
    ON complexity.treebank_id = identity.treebank_id
    AND complexity.sentence_no = output.sentence_no
    AND complexity.convention = 'standard';
