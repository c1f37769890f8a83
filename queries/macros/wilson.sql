-- wilson: the ends of the interval of a share, as a list (Wilson 1927), for so many successes of n at 95 %.
CREATE OR REPLACE MACRO wilson(successes, n) AS
    list_transform([-1, 1], lambda side:
        (successes + 1.959963984540054 ** 2 / 2
            + side * 1.959963984540054 * sqrt(
                successes * (n - successes) / nullif(n, 0) + 1.959963984540054 ** 2 / 4
            )) / nullif(n + 1.959963984540054 ** 2, 0)
    );
