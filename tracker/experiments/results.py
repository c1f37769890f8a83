"""What a submission scores, as MLflow is told it: metrics, signatures and tables."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.queries.errors.measures import COMPLEXITIES
from sr_tracker.queries.functions.statistics import SPEARMAN
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import read_rows, read_table
from sr_tracker.tracker.experiments.submissions import HEADLINES

_TABLES = ("submission_metrics", "dea_by_relation", "sentence_scores", "correlations")
"""What goes along as tables, each by the statement ``logged_<name>``."""


@dataclass(frozen=True)
class Results:
    """The results of some submissions, read in one go."""

    metrics: dict[str, dict[str, float]]
    """By submission and name; what is undefined is not in it."""
    signatures: dict[str, dict[str, str]]
    tables: dict[str, pa.Table]

    def tables_of(self, submission_id: str) -> dict[str, pa.Table]:
        """Return one submission's rows of every table."""
        return {
            name: table.filter(pc.equal(table["submission_id"], submission_id))
            for name, table in self.tables.items()
        }


def read_metrics(database: Database, submissions: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return the finite overall metrics and accuracies by relation, by submission and name.

    All but the ``HEADLINES`` stand in folders.
    """
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for row in read_rows(database, "logged_metrics", submissions=list(submissions)):
        if row["value"] is not None and math.isfinite(row["value"]):
            name = row["name"] if row["name"] in HEADLINES else f"{row['folder']}/{row['name']}"
            found[row["submission_id"]][name] = float(row["value"])
    return found


def read_results(
    database: Database, submissions: Sequence[str], known: Mapping[str, Mapping[str, float]]
) -> Results:
    """Return the results of some submissions: metrics, signatures and tables.

    ``known`` are their metrics as ``read_metrics`` gives them; correlations are added.
    """
    metrics = {name: dict(known.get(name, {})) for name in submissions}
    tables = {
        name: read_table(database, f"logged_{name}", submissions=list(submissions))
        for name in _TABLES
    }
    for row in tables["correlations"].to_pylist():
        if row["coefficient"] is not None and _is_of_complexity(row):
            name = f"{SPEARMAN}/{row['measure']}:{row['other_measure']}"
            metrics[row["submission_id"]][name] = row["coefficient"]
    signatures: dict[str, dict[str, str]] = defaultdict(dict)
    for row in tables["submission_metrics"].to_pylist():
        signatures[row["submission_id"]][row["metric"]] = row["signature"]
    return Results(metrics, signatures, tables)


def _is_of_complexity(row: dict[str, Any]) -> bool:
    """Return whether a correlation is one of performance with complexity, by rank."""
    return (
        row["method"] == SPEARMAN
        and row["other_measure"] in COMPLEXITIES
        and row["measure"] not in COMPLEXITIES
    )
