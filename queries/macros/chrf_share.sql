-- chrf_share: matched n-grams of one order by those of the reference (of = 1) or of the output (of = 2).
-- 0 where either has none, and so no match.
CREATE OR REPLACE MACRO chrf_share(statistics, n, of) AS
    coalesce(statistics[3 * n] / nullif(statistics[3 * n - of], 0), 0);
