"""Reading the runs of a system and what was measured of them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sr_tracker.queries.change.history.model import Measure
from sr_tracker.queries.metrics.registry import usual_metrics
from sr_tracker.schema.database import Database
from sr_tracker.schema.iterations import unknown_measure
from sr_tracker.schema.statements import Row, read_rows


@dataclass(frozen=True)
class Measured:
    """What was measured of some submissions."""

    measures: dict[str, Measure]
    values: dict[str, dict[str, float | None]]
    """By submission and measure."""
    counts: dict[tuple[str, str], int]
    """Sentences or edges that a submission's measure rests on."""
    signatures: dict[tuple[str, str], str | None]
    """How a submission's measure was computed."""


def read_runs(database: Database, submissions: Sequence[str]) -> list[Row]:
    """Return a row per submission by campaign, treebank, track and iteration."""
    return read_rows(database, "history_runs", submissions=submissions)


def read_measured(
    database: Database, submissions: Sequence[str], names: Sequence[str] | None
) -> Measured:
    """Return what was measured: measures by these names, or metrics, criteria and relations.

    In a name ``*`` stands for any text: ``dea[*]`` for all relations.

    Raises UnknownNameError for a name that no measure of these submissions has.
    """
    fitting = [re.escape(name).replace(r"\*", ".*") for name in names or ()]
    rows = read_rows(
        database,
        "history_measures",
        submissions=submissions,
        names="|".join(fitting) if names else None,
    )
    measures = {row["measure"]: Measure(row["measure"], row["kind"], row["better"]) for row in rows}
    for name, pattern in zip(names or (), fitting, strict=True):
        if not any(re.fullmatch(pattern, measure, re.DOTALL) for measure in measures):
            message = f"no run of the system has the measure '{name}'"
            raise unknown_measure(database, name, submissions, message)
    values: dict[str, dict[str, float | None]] = {name: {} for name in submissions}
    for row in rows:
        values[row["submission_id"]][row["measure"]] = row["score"]
    counts = {(row["submission_id"], row["measure"]): row["n"] for row in rows}
    signatures = {(row["submission_id"], row["measure"]): row["signature_id"] for row in rows}
    return Measured(measures, values, counts, signatures)


def chosen_measures(
    measured: Measured, names: Sequence[str] | None, metrics: Sequence[str] | None
) -> list[Measure]:
    """Return the measures that a history shows, in the order of the names.

    Without names: the metrics (those given, else the usual ones), then human criteria.
    """
    if names:
        found = (
            measure
            for name in names
            for measure in measured.measures.values()
            if measure.name == name
            or re.fullmatch(re.escape(name).replace(r"\*", ".*"), measure.name, re.DOTALL)
        )
        return list(dict.fromkeys(found))
    usual = [name for name in metrics or usual_metrics() if name in measured.measures]
    human = [name for name, measure in measured.measures.items() if measure.kind == "human"]
    return [measured.measures[name] for name in [*usual, *human]]


def chosen_differently(row: Row) -> dict[str, tuple[Any, Any]]:
    """Return the params and tags of a run that are not those of the run before: before and now."""
    if row["previous_submission_id"] is None:
        return {}
    found = {}
    for column, prefix in (("params", ""), ("tags", "tag ")):
        now = json.loads(row[column] or "{}")
        before = json.loads(row[f"previous_{column}"] or "{}")
        for name in sorted({*now, *before}):
            if now.get(name) != before.get(name):
                found[prefix + name] = (before.get(name), now.get(name))
    return found
