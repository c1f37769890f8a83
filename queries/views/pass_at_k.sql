-- pass_at_k: one row per submission, metric that is yes or no, and k: how often one of k trials passes, and how often all do.
-- grain: submission_id, metric, k
-- reads: current_scoring, submission_identity
-- group: score
-- A trial passes a sentence whose score is 1, or 0 where lower is better. Of a sentence of whose n trials c pass, pass@k is
-- 1 - C(n - c, k) / C(n, k) (Chen et al. 2021, equation 1), and pass^k is C(c, k) / C(n, k) (Yao et al. 2024, section 3);
-- neither has a bias. Their means are over sentences with k trials or more. Intervals are Wilson's (1927), of as many
-- sentences as give the variance that there is between sentences.
CREATE OR REPLACE VIEW pass_at_k AS
WITH counted AS (
    SELECT
        trial.submission_id,
        sentence_score.metric,
        sentence_score.sentence_no,
        count(score) AS n,
        count(*) FILTER (score = CASE WHEN better = 'lower' THEN 0 ELSE 1 END) AS c,
        bool_and(score IN (0, 1)) AS is_yes_or_no
    FROM trial
    JOIN current_scoring USING (submission_id)
    JOIN sentence_score
        ON sentence_score.submission_id = trial.trial_submission_id
        AND sentence_score.signature_id = current_scoring.signature_id
        AND sentence_score.metric = current_scoring.metric
    JOIN signature ON signature.signature_id = current_scoring.signature_id
    GROUP BY ALL
),
several AS (
    SELECT submission_id, metric, unnest(range(1, max(n) + 1)) AS k
    FROM counted
    GROUP BY submission_id, metric
    HAVING bool_and(is_yes_or_no) AND max(n) > 1
),
estimated AS (
    SELECT
        submission_id,
        metric,
        k,
        1 - coalesce(list_product(list_transform(range(0, k), lambda i: (n - c - i) / (n - i))), 1) AS one,
        coalesce(list_product(list_transform(range(0, k), lambda i: (c - i) / (n - i))), 1) AS whole
    FROM several
    JOIN counted USING (submission_id, metric)
    WHERE n >= k
),
summed AS (
    SELECT
        submission_id,
        metric,
        k,
        count(*) AS sentences,
        avg(one) AS pass_at_k,
        avg(whole) AS pass_all_k,
        coalesce(avg(one) * (1 - avg(one)) / nullif(var_samp(one) / count(*), 0), count(*)) AS n_at,
        coalesce(avg(whole) * (1 - avg(whole)) / nullif(var_samp(whole) / count(*), 0), count(*)) AS n_all
    FROM estimated
    GROUP BY ALL
)
SELECT
    identity.* EXCLUDE (params, tags),
    metric,                                       -- the metric, whose scores of sentences are 0 or 1
    k,                                            -- trials that are drawn
    sentences,                                    -- sentences with k trials or more
    pass_at_k,                                    -- pass@k: chance that at least one of k trials passes
    wilson(pass_at_k * n_at, n_at)[1] AS pass_at_k_low,       -- lower end of its 95 % interval
    wilson(pass_at_k * n_at, n_at)[2] AS pass_at_k_high,      -- upper end
    pass_all_k,                                   -- pass^k: chance that all of k trials pass
    wilson(pass_all_k * n_all, n_all)[1] AS pass_all_k_low,   -- lower end of its 95 % interval
    wilson(pass_all_k * n_all, n_all)[2] AS pass_all_k_high,  -- upper end
    identity.params,
    identity.tags
FROM summed
JOIN submission_identity AS identity USING (submission_id)
ORDER BY identity.submission_id, metric, k;
