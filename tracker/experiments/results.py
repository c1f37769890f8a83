"""What a submission scores, as MLflow is told it: metrics, signatures and tables."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
    """The results of one submission."""

    metrics: dict[str, float]
    """By name; what is undefined is not in it."""
    signatures: dict[str, str]
    """By metric."""
    tables: dict[str, pa.Table]


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
) -> dict[str, Results]:
    """Return the results of some submissions by their ids, read in one go.

    ``known`` are their metrics as ``read_metrics`` gives them; correlations of performance with
    complexity, by rank, are added.
    """
    tables = {
        name: read_table(database, f"logged_{name}", submissions=list(submissions))
        for name in _TABLES
    }
    found = {
        submission: Results(
            dict(known.get(submission, {})),
            {},
            {
                name: table.filter(pc.equal(table["submission_id"], submission))
                for name, table in tables.items()
            },
        )
        for submission in submissions
    }
    for row in tables["correlations"].to_pylist():
        of_complexity = row["other_measure"] in COMPLEXITIES and row["measure"] not in COMPLEXITIES
        if row["method"] == SPEARMAN and of_complexity and row["coefficient"] is not None:
            name = f"{SPEARMAN}/{row['measure']}:{row['other_measure']}"
            found[row["submission_id"]].metrics[name] = row["coefficient"]
    for row in tables["submission_metrics"].to_pylist():
        found[row["submission_id"]].signatures[row["metric"]] = row["signature"]
    return found
