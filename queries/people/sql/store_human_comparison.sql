-- store_human_comparison: one row of human_comparison per ordered pair of the submissions compared.
INSERT INTO human_comparison BY NAME
SELECT $campaign_id AS campaign_id, $annotators AS annotators, compared_submissions.*
FROM compared_submissions
ORDER BY ALL;
