-- overlap_with_training: one row per test set, training files and side: how many of its sentences they hold.
-- grain: treebank_id, training, side
-- group: load
-- formerly: training_overlaps
CREATE OR REPLACE VIEW overlap_with_training AS
SELECT
    treebank_id,                                                -- the test set
    training,                                                   -- what the training files are called together
    side,                                                       -- reference or source
    count(*) AS sentences,                                      -- sentences that have a text
    count(*) FILTER (WHERE overlapping) AS overlapping,           -- those that count as overlapping
    count(*) FILTER (WHERE exact > 0) AS exact,                 -- those of which a training line has the same words
    any_value(ngram_order) AS ngram_order,                      -- words of an n-gram
    count(*) FILTER (WHERE ngrams_found > 0) AS with_ngram,     -- those that share an n-gram of words
    sum(ngrams_found) / nullif(sum(ngrams), 0) AS ngram_share,  -- share of all n-grams that the training files hold
    count(*) FILTER (WHERE similarity >= 0.5) AS similar,       -- those with a line of similarity 0.5 or more
    avg(similarity) AS similarity                               -- mean similarity to the most similar line
FROM training_overlap
GROUP BY treebank_id, training, side
ORDER BY treebank_id, training, side;
