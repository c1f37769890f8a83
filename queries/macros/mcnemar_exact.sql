-- mcnemar_exact: the two-sided p-value of McNemar's exact test for so many gained and lost; 1 where nothing changed.
CREATE OR REPLACE MACRO mcnemar_exact(gained, lost) AS
    least(1.0, 2 * list_sum(list_transform(
        range(least(gained, lost) + 1),
        lambda k: exp(
            lgamma((gained + lost + 1)::DOUBLE) - lgamma((k + 1)::DOUBLE)
            - lgamma((gained + lost - k + 1)::DOUBLE) - (gained + lost) * ln(2)
        )
    )));
