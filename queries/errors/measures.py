"""What analyses measure outputs by."""

from __future__ import annotations

from sr_tracker.queries.metrics import metrics
from sr_tracker.queries.subtrees import label_attributes
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.names import check_names

STANDARD = "standard"
CONVENTIONS = (STANDARD, "tacl2021")
COMPLEXITIES = ("depth", "length", "mdd", "mfs", "mfw", "arity")


def derived_metrics() -> list[str]:
    """Return the metrics derived from another one's counts: they say the same of a sentence."""
    return [metric.name for metric in metrics().values() if metric.statistics_of]


def check_metric(database: Database, name: str) -> None:
    """Raise UnknownNameError for what is neither a metric nor human scores (adequacy_z)."""
    if name not in metrics():
        rows = database.connection.execute(
            "SELECT metric FROM current_scoring UNION SELECT criterion || '_z' FROM human_score"
        ).fetchall()
        check_names("metric", [name], {*metrics(), *(known for (known,) in rows)})


def check_mining(database: Database, labels: str, metric: str) -> None:
    """Raise UnknownNameError for labels or a metric that errors cannot be mined by."""
    label_attributes(labels)
    check_metric(database, metric)


def check_convention(convention: str) -> None:
    """Raise InputError for a convention of complexity that there is not."""
    if convention not in CONVENTIONS:
        raise InputError(
            f"there is no convention '{convention}'", hint=f"use one of {', '.join(CONVENTIONS)}"
        )
