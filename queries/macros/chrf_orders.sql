-- chrf_orders: how many orders of the statistics of chrf both output and reference have n-grams of.
CREATE OR REPLACE MACRO chrf_orders(statistics) AS
    chrf_both(statistics, 1)::INTEGER + chrf_both(statistics, 2)::INTEGER
    + chrf_both(statistics, 3)::INTEGER + chrf_both(statistics, 4)::INTEGER
    + chrf_both(statistics, 5)::INTEGER + chrf_both(statistics, 6)::INTEGER
    + chrf_both(statistics, 7)::INTEGER + chrf_both(statistics, 8)::INTEGER;
