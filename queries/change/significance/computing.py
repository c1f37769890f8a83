"""Intervals and paired tests of one group of comparable scores, computed and stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sr_tracker.queries.change.significance.groups import ANALYSIS
from sr_tracker.queries.change.significance.intervals import (
    bootstrap_p_values,
    interval,
    randomisation_p_values,
)
from sr_tracker.queries.change.significance.replicates import (
    bootstrap_sums,
    exact_parts,
    formula_of,
    kept_sums,
    number_of,
    read_statistics,
    score_sums,
)
from sr_tracker.queries.metrics.metric import Formula
from sr_tracker.schema import TOOL_VERSION
from sr_tracker.schema.database import Database
from sr_tracker.schema.temporary import temporary

if TYPE_CHECKING:
    from sr_tracker.queries.change.significance import Settings
    from sr_tracker.queries.change.significance.groups import Group
    from sr_tracker.queries.functions.statistics import Floats


NUMBERS_AT_ONCE = 4_000_000
FEWEST_SENTENCES = 2
TOO_FEW = "fewer than two sentences"
NO_REPLICATE = "some of the resampled test sets have no score"


@dataclass(frozen=True)
class Resampled:
    """Submissions to one treebank with their scores, and those of resampled test sets."""

    place: dict[str, int]
    """Where in the arrays a submission is."""
    sentences: int
    parts: Floats
    """Statistics as exact_parts has them."""
    scores: Floats
    bootstrap: Floats
    """Shape (replicates, submissions); NaN where a test set has no score."""


def compute(database: Database, group: Group, settings: Settings) -> None:
    """Compute and store what is missing in a group, in one transaction."""
    formula = formula_of(group.metric)
    reasons = {each.submission_id: each.undefined_reason for each in group.scored}
    defined = [name for name, reason in reasons.items() if reason is None]
    found = _resample(database, group, formula, defined, settings) if defined else None
    intervals = _intervals(group, found, reasons, settings)
    comparisons = _comparisons(database, group, formula, found, reasons, settings)
    store(database, group, settings, intervals, comparisons)


def _resample(
    database: Database,
    group: Group,
    formula: Formula,
    submissions: Sequence[str],
    settings: Settings,
) -> Resampled:
    statistics = read_statistics(database, formula, group.statistics_signature_id, submissions)
    of_each, sentences, k = statistics.shape
    place = {name: number for number, name in enumerate(submissions)}
    if sentences < FEWEST_SENTENCES:
        scores = score_sums(database, formula, statistics.sum(axis=1))
        return Resampled(place, sentences, np.empty((1, 0, 0)), scores, np.empty((0, of_each)))
    parts = exact_parts(statistics)
    totals = parts.sum(axis=1).sum(axis=0).reshape(of_each, k)
    sums = bootstrap_sums(parts, settings.replicates, settings.seed).sum(axis=0)
    bootstrap = score_sums(database, formula, sums.reshape(-1, of_each, k))
    return Resampled(place, sentences, parts, score_sums(database, formula, totals), bootstrap)


def _intervals(
    group: Group, found: Resampled | None, reasons: dict[str, str | None], settings: Settings
) -> list[dict[str, Any]]:
    """Return rows of score_interval, without what all rows of the group share."""
    rows = []
    for name in sorted(group.without_interval):
        row = {"submission_id": name, **_undefined(found, reasons[name])}
        if found and name in found.place:
            here = found.place[name]
            row["score"] = number_of(found.scores[here])
            if row["undefined_reason"] is None:
                scores = found.bootstrap[:, here]
                if np.isnan(scores).any():
                    row["undefined_reason"] = NO_REPLICATE
                else:
                    row["low"], row["high"] = map(float, interval(scores, settings.level))
        rows.append(row)
    return rows


def _undefined(found: Resampled | None, reason: str | None) -> dict[str, Any]:
    """Return the columns of a result that is undefined for a reason, or not known to be."""
    sentences = found.sentences if found and reason is None else 0
    if found and reason is None and found.sentences < FEWEST_SENTENCES:
        reason = TOO_FEW
    return {"sentences": sentences, "undefined_reason": reason}


def _comparisons(
    database: Database,
    group: Group,
    formula: Formula,
    found: Resampled | None,
    reasons: dict[str, str | None],
    settings: Settings,
) -> list[dict[str, Any]]:
    """Return rows of score_comparison, without what all rows of the group share."""
    rows = [
        {
            "submission_id": one,
            "other_submission_id": other,
            **_undefined(found, reasons[one] or reasons[other]),
        }
        for one, other in group.without_comparison
    ]
    if found is None:
        return rows
    for row in rows:
        if row["undefined_reason"] in (None, TOO_FEW):
            one, other = found.place[row["submission_id"]], found.place[row["other_submission_id"]]
            row["difference"] = number_of(found.scores[one] - found.scores[other])
    tested = [row for row in rows if row["undefined_reason"] is None]
    if tested:
        _test_pairs(database, formula, found, tested, settings)
    return rows


def _test_pairs(
    database: Database,
    formula: Formula,
    found: Resampled,
    rows: Sequence[dict[str, Any]],
    settings: Settings,
) -> None:
    """Add intervals and p-values to the rows of pairs."""
    of_each = len(found.place)
    kept = kept_sums(found.parts, settings.replicates, settings.seed)
    kept = kept.reshape(len(kept), settings.replicates, of_each, -1)
    totals = found.parts.sum(axis=1).reshape(len(kept), 1, of_each, -1)
    at_once = max(NUMBERS_AT_ONCE // (settings.replicates * kept.shape[-1]), 1)
    for start in range(0, len(rows), at_once):
        some = rows[start : start + at_once]
        first = [found.place[row["submission_id"]] for row in some]
        second = [found.place[row["other_submission_id"]] for row in some]
        # What is not kept of one output comes from the other.
        swapped = [
            (kept[:, :, one] + totals[:, :, other] - kept[:, :, other]).sum(axis=0)
            for one, other in ((first, second), (second, first))
        ]
        one, other = (score_sums(database, formula, sums) for sums in swapped)
        observed = found.scores[first] - found.scores[second]
        resampled = found.bootstrap[:, first] - found.bootstrap[:, second]
        swapped_differences = one - other
        undefined = np.isnan(resampled.sum(axis=0) + swapped_differences.sum(axis=0))
        low, high = interval(resampled, settings.level)
        p_bootstrap = bootstrap_p_values(resampled, observed)
        p_randomisation = randomisation_p_values(swapped_differences, observed)
        for number, row in enumerate(some):
            if undefined[number]:
                row["undefined_reason"] = NO_REPLICATE
                continue
            row["low"], row["high"] = float(low[number]), float(high[number])
            row["p_bootstrap"] = float(p_bootstrap[number])
            row["p_randomisation"] = float(p_randomisation[number])


_RESTS_ON = (
    ("score_interval", "submission_id"),
    ("score_comparison", "submission_id"),
    ("score_comparison", "other_submission_id"),
)
_INTERVAL = pa.schema(
    [
        ("submission_id", pa.string()),
        ("sentences", pa.int32()),
        ("score", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("undefined_reason", pa.string()),
    ]
)
_COMPARISON = pa.schema(
    [
        ("submission_id", pa.string()),
        ("other_submission_id", pa.string()),
        ("sentences", pa.int32()),
        ("difference", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("p_bootstrap", pa.float64()),
        ("p_randomisation", pa.float64()),
        ("undefined_reason", pa.string()),
    ]
)


def store(
    database: Database,
    group: Group,
    settings: Settings,
    intervals: Sequence[dict[str, Any]],
    comparisons: Sequence[dict[str, Any]],
) -> None:
    """Store rows of a group, all or none, and record in ``analysis`` what they rest on.

    Comparisons of a submission whose interval is new go: they rest on what it was before.
    """
    connection = database.connection
    data = {each.submission_id: each.data_sha256 for each in group.scored}
    shared = {
        "signature_id": group.signature_id,
        "metric": group.metric,
        "replicates": settings.replicates,
        "seed": settings.seed,
        "level": settings.level,
    }
    renewed = sorted(group.without_interval)
    with database.transaction():
        for table, column in _RESTS_ON:
            connection.execute(
                f"DELETE FROM {table} WHERE signature_id = ? AND list_contains(?, {column})",  # noqa: S608
                [group.signature_id, renewed],
            )
        connection.execute(
            "DELETE FROM analysis WHERE analysis = ? AND signature_id <> ? "
            "AND ends_with(signature, ?) AND list_contains(?, submission_id)",
            [ANALYSIS, group.analysis_id, f"|scores:{group.signature_id}", renewed],
        )
        for table, schema, rows in (
            ("score_interval", _INTERVAL, intervals),
            ("score_comparison", _COMPARISON, comparisons),
        ):
            with temporary(database, tested=pa.Table.from_pylist([*rows], schema=schema)):
                connection.execute(
                    f"INSERT INTO {table} BY NAME SELECT *, "  # noqa: S608
                    + ", ".join(f"${name} AS {name}" for name in shared)
                    + " FROM tested ORDER BY ALL",
                    shared,
                )
        connection.execute(
            "INSERT OR REPLACE INTO analysis "
            "SELECT ?, unnest(?), ?, ?, ?, unnest(?), ?, now(), next_revision()",
            [
                group.analysis_id,
                renewed,
                ANALYSIS,
                group.settings,
                group.signature,
                [data[name] for name in renewed],
                TOOL_VERSION,
            ],
        )
