"""chrF as sacreBLEU's; registered by an entry point, as a metric of another package would be."""

from __future__ import annotations

from ...schema.statements import statement
from ..functions.sql_function import SqlFunction, later
from .metric import STATISTICS, Formula, scored_at_once

METRIC = scored_at_once(
    "chrf",
    "\n".join(statement(name) for name in ("match_chrf", "score_chrf")),
    several=True,
    description="chrF2 of character 6-grams, as sacreBLEU computes it",
    parameters={"characters": 6, "words": 0, "beta": 2, "case": "mixed"},
    functions=[
        SqlFunction(
            "chrf_statistics",
            later("several_references", "chrf"),
            ["VARCHAR", "VARCHAR", "VARCHAR[]"],
            "DOUBLE[]",
        )
    ],
    label="chrF",
    meaning="chrF2, 0 to 1",
    formula=Formula(STATISTICS, "CASE WHEN sums[2] > 0 THEN chrf(sums) END"),
    place=50,
    headline=True,
)
