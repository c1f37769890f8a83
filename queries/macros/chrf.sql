-- chrf: chrF2 or chrF2++ of one output or of a system, 0 to 1, from its statistics or their sums.
-- sacreBLEU's default: the F-score (recall counting twice) of the precision and recall averaged
-- over the orders for which output and reference both have n-grams; 0 without any.
-- Takes three counts per order (output, reference, matches): 18 for characters of n = 1 to 6, then 6
-- for words of n = 1 and 2 where it is chrF2++, such as element_sums(…, 18).
CREATE OR REPLACE MACRO chrf(statistics) AS
    CASE
        WHEN statistics[3] > 0 THEN 5 / (
            4 / (chrf_summed_shares(statistics, 1) / chrf_orders(statistics))
            + 1 / (chrf_summed_shares(statistics, 2) / chrf_orders(statistics))
        )
        WHEN statistics[3] = 0 THEN 0
    END;
