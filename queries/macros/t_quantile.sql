-- t_quantile: the .975 quantile of Student's t with so many degrees of freedom, to a thousandth: of up to three from the table, else by
-- the expansion of Fisher and Cornish (Abramowitz and Stegun 1964, 26.7.5).
CREATE OR REPLACE MACRO t_quantile(freedom) AS
    CASE
        WHEN freedom < 4 THEN [12.706204736, 4.302652730, 3.182446305][freedom]
        ELSE 1.959963984540054
            + 2.372271230 / freedom
            + 2.822498616 / freedom ** 2
            + 2.555849680 / freedom ** 3
            + 1.589534053 / freedom ** 4
    END;
