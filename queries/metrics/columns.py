"""Which columns of rows hold scores, and by which measures: what people read in a unit.

Columns tell it by their names and by those beside them, whatever the rows are of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from .registry import External, external_metrics, metrics

_KEYS = ("measure", "metric")
"""Columns that say of which measure the scores of a row are."""
_BEFORE = re.compile(r"^(base|other|newest|whole|old|new|largest)_")
_STATISTIC = re.compile(
    r"_(mean|median|min|max|sd|lowest|highest|low|high|change|marked|unmarked)$"
)
"""What is said of a metric's scores, or of a column of scores, by the ending of a name."""
_SCORES = {
    *("score", "threshold", "trial_sd", "base_trial_sd", "projective", "non_projective", "missing"),
    *("mean", "median", "sd", "best", "worst", "highest", "lowest", "latest", "newest"),
    *("base", "before", "previous_best", "reference"),
}
"""Columns of scores beside a key."""
_OF_SCORES = {"difference", "change", "low", "high"}
"""Columns about scores, where scores stand beside them; else they may be about anything."""


def measures_of(
    columns: Mapping[str, Sequence[Any]], measure: str = ""
) -> dict[str, Sequence[str | None]]:
    """Return, by columns that hold scores or differences of scores, the measure of each row.

    ``columns`` are those of the rows by name, but for counts. A column of a metric has its name,
    with an ending or a beginning such as _mean or base_; others stand beside one called measure or
    metric, or are of the ``measure`` that is said.
    """
    size = len(next(iter(columns.values()), ()))
    of_people = "criterion" in columns
    named = {name: _measure_of(name, external_metrics(), of_people=of_people) for name in columns}
    held: dict[str, Sequence[str | None]] = {
        name: [measure] * size for name, measure in named.items() if measure
    }
    single = {measure for measure in named.values() if measure}
    key = next((name for name in _KEYS if name in columns), None)
    of_all = measure
    if not of_all and len(single) == 1:
        (of_all,) = single
    if key is None and not of_all:
        return held
    of_rows = [of_all] * size if key is None else columns[key]
    of_key = key is not None or measure
    about = {name for name in columns if of_key and _stem(name) in _SCORES}
    if about or held:
        about |= {name for name in columns if _stem(name) in _OF_SCORES}
    return {**dict.fromkeys(about, of_rows), **held}


def _stem(name: str) -> str:
    return name if name in _SCORES else _STATISTIC.sub("", _BEFORE.sub("", name))


@lru_cache(maxsize=4096)
def _measure_of(
    name: str,
    external: tuple[External, ...],  # noqa: ARG001
    *,
    of_people: bool,
) -> str | None:
    """Return the metric, or the criterion as z-score, that a column is named after.

    Beside a criterion of people's, names such as precision are not those of a metric's parts.
    """
    measures = {metric.name.replace(".", ""): metric.name for metric in metrics().values()}
    if not of_people:
        every = metrics().values()
        measures |= {column: metric.name for metric in every for column in metric.columns}
    stem = _BEFORE.sub("", name)
    while stem not in measures and _STATISTIC.search(stem):
        stem = _STATISTIC.sub("", stem)
    return measures.get(stem, stem if stem.endswith("_z") else None)
