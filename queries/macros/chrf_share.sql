-- chrf_share: matched n-grams of one order by those of the reference (of = 1) or of the output (of = 2).
-- 0 where either has none.
CREATE OR REPLACE MACRO chrf_share(statistics, n, of) AS
    CASE WHEN chrf_both(statistics, n) THEN statistics[3 * n] / statistics[3 * n - of] ELSE 0 END;
