-- store_human_ranking: one row per submission and criterion: means of the sentence scores of the $annotators.
-- Mille et al. 2018, section 3.2 and Tables 6 to 8. Averaged in ascending order: equal scores have equal means, to the last digit.
INSERT INTO human_ranking BY NAME
SELECT
    campaign_id,
    treebank_id,
    criterion,
    $annotators AS annotators,
    submission_id,
    avg(raw_mean ORDER BY raw_mean) AS raw_mean,
    avg(z_mean ORDER BY z_mean) AS z_mean,
    count(*) AS sentences,
    sum(assessments) AS assessments
FROM human_sentence
GROUP BY ALL
ORDER BY treebank_id, criterion, z_mean DESC NULLS LAST, submission_id;
