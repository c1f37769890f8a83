-- error_span_dea: one row per submission and criterion: edge accuracy of outputs with errors against outputs without.
-- grain: submission_id, criterion
-- reads: current_scoring, marked_outputs, submission_identity
-- group: people
-- Dependency edge accuracy is that of the whole output. Marked are outputs with a major or critical error.
CREATE OR REPLACE VIEW error_span_dea AS
WITH compared AS (
    SELECT
        marked_outputs.submission_id, criterion,
        count(*) FILTER (WHERE grave) AS marked,
        count(*) FILTER (WHERE NOT grave) AS unmarked,
        avg(score) FILTER (WHERE grave) AS dea_marked,
        avg(score) FILTER (WHERE NOT grave) AS dea_unmarked,
        var_samp(score) FILTER (WHERE grave) AS variance_marked,
        var_samp(score) FILTER (WHERE NOT grave) AS variance_unmarked
    FROM marked_outputs
    JOIN sentence_score USING (submission_id, sentence_no)
    SEMI JOIN current_scoring
        ON current_scoring.submission_id = sentence_score.submission_id
        AND current_scoring.metric = sentence_score.metric
        AND current_scoring.signature_id = sentence_score.signature_id
    WHERE sentence_score.metric = 'dea' AND score IS NOT NULL
    GROUP BY marked_outputs.submission_id, criterion
)
SELECT
    identity.* EXCLUDE (params, tags),
    criterion,                                      -- what was judged
    marked,                                         -- outputs with a major or critical error and an edge accuracy
    unmarked,                                       -- outputs without such an error
    dea_marked,                                     -- mean edge accuracy of the first, 0 to 1
    dea_unmarked,                                   -- that of the others
    dea_marked - dea_unmarked AS difference,        -- below 0 where outputs with errors have fewer edges right
    two_sided_p(
        (dea_marked - dea_unmarked)
        / nullif(sqrt(variance_marked / marked + variance_unmarked / unmarked), 0)
    ) AS p_value,                                   -- two-sided, of Welch's statistic by the normal distribution; NULL where undefined
    identity.params,
    identity.tags
FROM compared
JOIN submission_identity AS identity USING (submission_id);
