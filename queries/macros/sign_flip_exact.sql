-- sign_flip_exact: the two-sided p-value of the exact sign-flip test of whole numbers that are not 0; 1 where there are none.
-- Of numbers 1 and -1 that is McNemar's test. Else the chances of all sums of the positive ones are built number by number.
CREATE OR REPLACE MACRO sign_flip_exact(differences) AS
    CASE
        WHEN list_sum(differences) = 0 OR len(differences) = 0 THEN 1.0
        WHEN list_max(list_transform(differences, lambda d: abs(d))) = 1 THEN mcnemar_exact(
            len(list_filter(differences, lambda d: d > 0)), len(list_filter(differences, lambda d: d < 0))
        )
        ELSE least(1.0, 2 * list_sum(list_reduce(
            list_prepend([1.0::DOUBLE], list_transform(differences, lambda d: [abs(d)::DOUBLE])),
            lambda chances, size: list_transform(
                range(1, (len(chances) + size[1] + 1)::BIGINT),
                lambda place: (
                    coalesce(chances[place], 0)
                    + CASE WHEN place > size[1] THEN coalesce(chances[(place - size[1])::BIGINT], 0) ELSE 0 END
                ) / 2
            )
        )[
            ((list_sum(list_transform(differences, lambda d: abs(d))) + abs(list_sum(differences))) / 2 + 1)::BIGINT:
        ]))
    END;
