-- chrf_summed_shares: the sum of chrf_share over the orders of the characters, then of the words.
CREATE OR REPLACE MACRO chrf_summed_shares(statistics, of) AS
    chrf_share(statistics, 1, of) + chrf_share(statistics, 2, of) + chrf_share(statistics, 3, of)
    + chrf_share(statistics, 4, of) + chrf_share(statistics, 5, of) + chrf_share(statistics, 6, of)
    + chrf_share(statistics, 7, of) + chrf_share(statistics, 8, of);
