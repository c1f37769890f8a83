-- chrf: chrF2 of one output or of a system, 0 to 1, from its chrf_statistics or their sums.
-- sacreBLEU's default: the F-score (recall counting twice) of the precision and recall averaged
-- over the orders for which output and reference both have n-grams; 0 without any.
-- Takes the 18 counts (output, reference, matches for n = 1 to 6), such as element_sums(…, 18).
CREATE OR REPLACE MACRO chrf(statistics) AS
    CASE
        WHEN statistics[3] = 0 THEN 0.0::DOUBLE
        ELSE 5 / (
            4 / list_avg([
                statistics[3 * n] / statistics[3 * n - 1] FOR n IN range(1, 7)
                IF statistics[3 * n - 2] > 0 AND statistics[3 * n - 1] > 0
            ])
            + 1 / list_avg([
                statistics[3 * n] / statistics[3 * n - 2] FOR n IN range(1, 7)
                IF statistics[3 * n - 2] > 0 AND statistics[3 * n - 1] > 0
            ])
        )
    END;
