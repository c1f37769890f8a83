-- store_human_ranking: one row per submission and criterion: means of the sentence scores of the $annotators.
-- Mille et al. 2018, section 3.2 and Tables 6 to 8. Averaged in ascending order: equal scores have equal means, to the last digit.
INSERT INTO human_ranking BY NAME
WITH in_domain AS (
    SELECT campaign_id, treebank_id, criterion, submission_id, domain, avg(score ORDER BY score) AS score
    FROM ranked_sentence
    GROUP BY ALL
),
scored AS (
    SELECT
        campaign_id, treebank_id, criterion, submission_id,
        avg(score ORDER BY score) AS score,
        CASE WHEN count(domain) > 0 THEN count(*) END AS domains
    FROM in_domain
    GROUP BY ALL
)
SELECT
    campaign_id,
    treebank_id,
    criterion,
    $annotators AS annotators,
    submission_id,
    any_value(scored.score) AS score,
    any_value(domains) AS domains,
    avg(raw_mean ORDER BY raw_mean) AS raw_mean,
    avg(z_mean ORDER BY z_mean) AS z_mean,
    count(*) AS sentences,
    sum(assessments) AS assessments
FROM ranked_sentence
JOIN scored USING (campaign_id, treebank_id, criterion, submission_id)
GROUP BY ALL
ORDER BY treebank_id, criterion, score DESC NULLS LAST, submission_id;
