-- treebank_complexity: one row per treebank and convention: mean and sample standard deviation over sentences.
-- grain: treebank_id, convention
-- group: ask why
-- Shimorina et al. 2021, Table 2. Averaged in the order of the sentences: the last digit depends on it.
CREATE OR REPLACE VIEW treebank_complexity AS
SELECT
    treebank_id,                                             -- the treebank
    convention,                                              -- standard or tacl2021
    count(*)                                 AS sentences,   -- number of sentences
    avg(depth ORDER BY sentence_no)          AS depth_mean,  -- tree depth: mean
    stddev_samp(depth ORDER BY sentence_no)  AS depth_sd,    -- tree depth: standard deviation
    avg(length ORDER BY sentence_no)         AS length_mean, -- words: mean
    stddev_samp(length ORDER BY sentence_no) AS length_sd,   -- words: standard deviation
    avg(mdd ORDER BY sentence_no)            AS mdd_mean,    -- mean dependency distance: mean
    stddev_samp(mdd ORDER BY sentence_no)    AS mdd_sd,      -- mean dependency distance: standard deviation
    avg(mfs ORDER BY sentence_no)            AS mfs_mean,    -- mean flux size: mean
    stddev_samp(mfs ORDER BY sentence_no)    AS mfs_sd,      -- mean flux size: standard deviation
    avg(mfw ORDER BY sentence_no)            AS mfw_mean,    -- mean flux weight: mean
    stddev_samp(mfw ORDER BY sentence_no)    AS mfw_sd,      -- mean flux weight: standard deviation
    avg(arity ORDER BY sentence_no)          AS arity_mean,  -- mean arity: mean
    stddev_samp(arity ORDER BY sentence_no)  AS arity_sd,    -- mean arity: standard deviation
    100 * avg((NOT projective)::INTEGER)     AS nonprojective_percent  -- non-projective sentences, in percent
FROM sentence_complexity
GROUP BY treebank_id, convention
ORDER BY treebank_id, convention;
