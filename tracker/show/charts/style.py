"""Readable names of measures."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ....queries.metrics.registry import (
    External,
    external_metrics,
    in_points,
    tabled_metrics,
)

HUMAN = {"adequacy_z": ("Ad", "adequacy, z-score"), "fluency_z": ("Fl", "fluency, z-score")}
COMPLEXITY = {
    "mfs": ("MFS", "mean flux size"),
    "mfw": ("MFW", "mean flux weight"),
    "arity": ("MA", "mean arity"),
    "depth": ("TD", "tree depth"),
    "length": ("TL", "tree length"),
    "mdd": ("MDD", "mean dependency distance"),
}


def _names() -> dict[str, tuple[str, str]]:
    """Return short and full names of measures: performance, then human scores, then complexity."""
    return _names_with(external_metrics())


@lru_cache(maxsize=16)
def _names_with(external: tuple[External, ...]) -> dict[str, tuple[str, str]]:  # noqa: ARG001
    performance = {metric.name: (metric.heading, metric.full_name) for metric in tabled_metrics()}
    return {**performance, **HUMAN, **COMPLEXITY}


def short_name(measure: str) -> str:
    """Return the name of a measure for axes and cells."""
    return _names().get(measure, (measure, measure))[0]


def long_name(measure: str) -> str:
    """Return the name of a measure with its abbreviation, such as 'mean arity (MA)'."""
    short, long = _names().get(measure, (measure, measure))
    return long if long == short else f"{long} ({short})"


def digits(measure: str) -> str:
    """Return how Vega writes scores of a measure: as ``queries.numbers.measured`` does."""
    return ".2f" if in_points(measure) else ".3f"


def ordered_measures(measures: Iterable[str]) -> list[str]:
    """Return measures in the order of the paper's Figure 2: performance, then complexity.

    Metrics unknown here follow the known ones, then other human criteria (names ending in _z).
    """
    names = list(_names())
    first_human, first_complexity = names.index("adequacy_z"), names.index("mfs")

    def place(measure: str) -> tuple[float, str]:
        if measure in names:
            return names.index(measure), measure
        return (first_complexity if measure.endswith("_z") else first_human) - 0.5, measure

    return sorted(set(measures), key=place)
