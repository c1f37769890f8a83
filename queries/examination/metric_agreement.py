"""How metrics go with people's judgement, and how two ways of evaluating by people go together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa

from ...schema.database import Database
from ...schema.parameters import ALPHA
from ...schema.statements import read_rows, read_table, statement
from ...schema.temporary import insert, temporary
from ..functions import metric_tests
from ..functions.statistics import METHODS, PEARSON, Booleans, Floats, correlate
from ..metrics.registry import direction

FEW = 10
UNITS = {"system": "system", "sentence": "output"}


@dataclass(frozen=True)
class _Judged:
    """What people and metrics say of the same systems, or outputs, of a treebank."""

    treebank_id: str
    criterion: str
    level: str
    systems: list[str]
    """The system behind each."""
    z_scores: Floats
    metrics: list[str]
    scores: Floats
    """A row for each metric; NaN where it gives no score."""
    signatures: list[int]
    """In how many ways each metric was computed."""


def store_metric_agreement(database: Database, campaign_id: str) -> int:
    """Store how each metric correlates with each human criterion; returns the number of rows.

    Per treebank: Pearson's, Spearman's and Kendall's coefficients of the systems' scores and mean
    human z-scores (level system) and of all judged outputs (level sentence), with all systems and
    without outliers. Each submission is a system, iterations too; human references are left out.
    Metrics count as among the best where a Williams test finds Pearson's r of the best one not
    significantly higher. Where lower scores are better a metric that goes with people has negative
    coefficients: there the lowest one is best. Mille et al. 2018, section 5.2.1, Table 9; Mathur
    et al. 2020.

    The campaign's earlier rows are replaced, in the caller's transaction.
    """
    connection = database.connection
    connection.execute("DELETE FROM metric_agreement WHERE campaign_id = ?", [campaign_id])
    with temporary(database):
        connection.execute(statement("judged_system"))
        scores = read_table(database, "judged_scores", campaign_id=campaign_id)
        rows = [
            {"campaign_id": campaign_id, **row}
            for judged in _judged(scores)
            for row in _agreements(database, campaign_id, judged)
        ]
    insert(database, "metric_agreement", rows)
    return len(rows)


def _judged(table: pa.Table) -> Iterator[_Judged]:
    """Yield treebank by treebank, criterion by criterion and level by level."""

    def place(row: dict[str, Any]) -> tuple[str, str, str]:
        return row["treebank_id"], row["criterion"], row["level"]

    for (treebank_id, criterion, level), group in groupby(table.to_pylist(), place):
        rows = list(group)
        yield _Judged(
            treebank_id,
            criterion,
            level,
            systems=rows[0]["systems"],
            z_scores=np.array(rows[0]["z_scores"], np.float64),
            metrics=[row["metric"] for row in rows],
            scores=np.array([row["scores"] for row in rows], np.float64),
            signatures=[row["signatures"] for row in rows],
        )


def _agreements(database: Database, campaign_id: str, judged: _Judged) -> Iterator[dict[str, Any]]:
    removed = _outlier_systems(database, campaign_id, judged)
    ordinary = ~np.isin(np.array(judged.systems), removed)
    for method in METHODS:
        everything = list(_of_method(judged, np.ones_like(ordinary), method))
        others = list(_of_method(judged, ordinary, method)) if removed else everything
        for row in everything:
            yield {**row, "method": method, "outliers": "with", "removed": []}
        for row in others:
            yield {**row, "method": method, "outliers": "without", "removed": removed}


def _outlier_systems(database: Database, campaign_id: str, judged: _Judged) -> list[str]:
    rows = database.connection.execute(
        "SELECT system, z_score FROM judged_system "
        "WHERE campaign_id = ? AND treebank_id = ? AND criterion = ? ORDER BY system",
        [campaign_id, judged.treebank_id, judged.criterion],
    ).fetchall()
    far = metric_tests.outliers(np.array([z_score for _, z_score in rows], np.float64))
    return [system for (system, _), is_far in zip(rows, far, strict=True) if is_far]


def _of_method(judged: _Judged, rows: Booleans, method: str) -> Iterator[dict[str, Any]]:
    """Yield each metric's agreement with people by one method, over the rows given."""
    z_scores, scores = judged.z_scores[rows], judged.scores[:, rows]
    unit = UNITS[judged.level]
    names = [judged.criterion, *judged.metrics]
    agreements = metric_tests.correlations(z_scores, scores, method, names, unit)
    better = [direction(metric) for metric in judged.metrics]
    tests = _williams_tests(z_scores, scores, agreements, better) if method == PEARSON else {}
    for number, (metric, agreement) in enumerate(zip(judged.metrics, agreements, strict=True)):
        p_value, among_best = tests.get(number, (None, None))
        yield {
            "treebank_id": judged.treebank_id,
            "metric": metric,
            "criterion": judged.criterion,
            "level": judged.level,
            "n": agreement.n,
            "coefficient": agreement.coefficient,
            "p_value": agreement.p_value,
            "williams_p_value": p_value,
            "among_best": among_best,
            "warning": _warning(agreement.n, unit, judged.signatures[number]),
            "undefined_reason": agreement.undefined_reason,
        }


def _williams_tests(
    z_scores: Floats, scores: Floats, agreements: list[metric_tests.Correlation], better: list[int]
) -> dict[int, tuple[float | None, bool | None]]:
    """Return, by the metric's number, its p-value against the best one and whether it is as good.

    ``better`` is the direction of each metric. A test rests on what both metrics score. Metrics
    without a coefficient are not among the keys; none are where there are too few systems for any
    test.
    """
    coefficients = {
        i: better[i] * f.coefficient for i, f in enumerate(agreements) if f.coefficient is not None
    }
    if not coefficients:
        return {}
    best = max(coefficients, key=coefficients.__getitem__)
    if agreements[best].n < metric_tests.FEWEST_SYSTEMS:
        return {}
    tests: dict[int, tuple[float | None, bool | None]] = {best: (None, True)}
    for other in coefficients.keys() - {best}:
        columns = np.vstack([z_scores, better[best] * scores[best], better[other] * scores[other]])
        both = correlate(columns[:, np.isfinite(columns).all(axis=0)], PEARSON)
        higher, lower, between = both.coefficient[[0, 0, 1], [1, 2, 2]]
        if np.isfinite([higher, lower, between]).all():
            p_value = metric_tests.williams_p_value(int(both.n[0, 1]), higher, lower, between)
            tests[other] = (p_value, None if p_value is None else p_value >= ALPHA)
    return tests


def _warning(n: int, unit: str, signatures: int) -> str | None:
    warnings = []
    if n < FEW:
        warnings.append(f"few {unit}s")
    if signatures > 1:
        warnings.append(f"scores computed in {signatures} ways")
    return "; ".join(warnings) or None


KEYS = ("campaign_id", "criterion", "other_campaign_id", "other_criterion", "treebank_id")


def store_evaluation_agreement(database: Database) -> int:
    """Store how the systems' mean z-scores of two evaluations correlate; returns the row count.

    Two evaluations are campaigns that judged the same systems of a treebank by the same criterion,
    such as a crowd and experts, or two criteria of a campaign. Systems are the same by name and
    iteration; fewer than two in common are none, human references do not count. Pearson's,
    Spearman's and Kendall's coefficients: Mille et al. 2018, section 5.2.2, Tables 10 and 11.

    All earlier rows are replaced, in the caller's transaction.
    """
    connection = database.connection
    connection.execute("DELETE FROM evaluation_agreement")
    with temporary(database):
        connection.execute(statement("judged_system"))
        pairs = read_rows(database, "twice_judged_systems")
    rows = []
    for pair in pairs:
        one, other = np.array([pair["z_scores"], pair["other_z_scores"]], np.float64)
        names = (_name(pair, ""), _name(pair, "other_"))
        for method in METHODS:
            (agreement,) = metric_tests.correlations(one, other, method, names, "system")
            rows.append({**{key: pair[key] for key in KEYS}, "method": method, **vars(agreement)})
    insert(database, "evaluation_agreement", rows)
    return len(rows)


def _name(pair: dict[str, str], prefix: str) -> str:
    return f"{pair[f'{prefix}criterion']} of {pair[f'{prefix}campaign_id']}"
