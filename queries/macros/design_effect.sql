-- design_effect: by how much cases that go together tell less of a share than as many of their own (Rao and Scott 1992), at least 1.
-- Takes how many clusters there are, and sums over them: of cases that have it, of cases, and of the products of these counts. It is the
-- variance over clusters in relation to that over cases; of few clusters it is known badly, which Student's t allows for (Korn and
-- Graubard 1998). Where all or none have it each cluster counts as one, and each case where it is its own cluster.
CREATE OR REPLACE MACRO design_effect(clusters, had, cases, had_squared, had_times_cases, cases_squared) AS
    CASE
        WHEN clusters = cases THEN 1
        WHEN had IN (0, cases) THEN cases_squared / cases
        WHEN clusters = 1 THEN NULL
        ELSE greatest(1, (
            had_squared - 2 * had / cases * had_times_cases + (had / cases) ** 2 * cases_squared
        ) / (had * (1 - had / cases)) * clusters / (clusters - 1))
            * (t_quantile(clusters - 1) / 1.959963984540054) ** 2
    END;
