-- chrf_both: whether output and reference both have n-grams of one order of the statistics of chrf.
CREATE OR REPLACE MACRO chrf_both(statistics, n) AS
    coalesce(statistics[3 * n - 2] > 0 AND statistics[3 * n - 1] > 0, false);
