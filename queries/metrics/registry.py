"""The metrics there are, built in or of other packages, and the lines of views that name them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from functools import cache, lru_cache
from importlib import import_module
from itertools import groupby
from typing import Any, NamedTuple

from ...schema.errors import InputError, check_choices
from ...schema.names import check_names
from ...schema.statements import quoted
from ...schema.themes import modules
from ..functions.sql_function import SqlFunction
from . import packages
from .metric import (
    CHALLENGE,
    EDGES,
    EXTERNAL,
    GRAPHS,
    HIGHER,
    LEMMAS,
    LOWER,
    MODEL,
    POINTS,
    SCORED_AT_ONCE,
    SENTENCE_MEAN,
    TEXT,
    TREES,
    UNITS,
    Metric,
    Parts,
)

ERRORS = "_errors"
"""The ending of a criterion's marked errors among the measures."""
LEVELS = (TEXT, LEMMAS, EDGES, TREES, GRAPHS, MODEL, EXTERNAL, CHALLENGE)
_NAME = re.compile(r"[a-z][a-z0-9_]*(\.[0-9]+)?")


class External(NamedTuple):
    """What a database knows of a metric whose scores were computed elsewhere."""

    name: str
    label: str
    description: str
    version: str | None
    better: str
    unit: str
    lowest: float | None
    highest: float | None


_external: ContextVar[tuple[External, ...]] = ContextVar("external metrics", default=())


def set_external_metrics(external: Iterable[External]) -> None:
    """Let ``metrics`` contain these external ones: those of the database that is opened."""
    _external.set(tuple(external))


def source_of(metric: str) -> str:
    """Return the metric whose statistics a metric's scores come from: mostly this one itself."""
    definition = metrics().get(metric)
    return (definition and definition.statistics_of) or metric


def external_metrics() -> tuple[External, ...]:
    """Return the external metrics of the database that was opened last: a key of caches."""
    return _external.get()


def metrics() -> dict[str, Metric]:
    """Return all metrics by name: the registered ones, and those of the database opened last.

    They are in the order of their places; external ones, whose scores were loaded, come after all
    others. A registered metric has its name for itself.

    Raises what ``registered`` does.
    """
    return _with_external(_external.get())


@lru_cache(maxsize=16)
def _with_external(external: tuple[External, ...]) -> dict[str, Metric]:
    own_metrics = registered()
    own = {
        item.name: Metric(
            name=item.name,
            description=item.description,
            version=item.version or "",
            text_level=EXTERNAL,
            command="tracker ingest metric-scores",
            better=item.better,
            label=item.label,
            unit=item.unit,
            lowest=item.lowest,
            highest=item.highest,
            formula=SENTENCE_MEAN,
        )
        for item in external
        if item.name not in own_metrics
    }
    _check(own)
    return {**own_metrics, **own}


@cache
def registered() -> dict[str, Metric]:
    """Return the built-in metrics and those that other packages register, by name.

    They are in the order of their places; those derived from another one come after all others.

    Raises InputError where a package registers something else than a sound Metric, or a name that
    is taken.
    """
    by_name: dict[str, Metric] = {}
    core = [import_module(f"{__package__}.{name}") for name in ("builtin", "checks")]
    places = (*core, *modules("queries", "metrics"))
    own = [(place.__name__, metric) for place in places for metric in place.METRICS]
    registered = sorted(packages.entry_points(), key=lambda point: point.name)
    others = [
        (f"{packages.package_of(point)}: {point.value}", packages.loaded(point))
        for point in registered
    ]
    whose: dict[str, str] = {}
    for where, metric in [*own, *others]:
        if metric.name in by_name:
            raise InputError(
                f"the metric '{metric.name}' is registered twice",
                where=f"{whose[metric.name]}, and {where}",
                hint="uninstall one of them",
            )
        by_name[metric.name] = metric
        whose[metric.name] = where
    _check(by_name)
    by_place = sorted(by_name.values(), key=lambda metric: (metric.place, metric.name))
    by_need = sorted(by_place, key=lambda metric: metric.statistics_of is not None)
    return {metric.name: metric for metric in by_need}


def _check(by_name: Mapping[str, Metric]) -> None:
    functions: dict[str, SqlFunction] = {}
    for metric in by_name.values():
        if not _NAME.fullmatch(metric.name) or "\n" in metric.column_comment:
            raise InputError(
                f"the metric '{metric.name}' cannot be the name of a column",
                hint="a small letter, then small letters, digits and _; its meaning is one line",
            )
        levels = SCORED_AT_ONCE if metric.statement else LEVELS
        check_choices(
            (f"text level of the metric '{metric.name}'", metric.text_level, levels),
            (f"direction of the metric '{metric.name}'", metric.better, (HIGHER, LOWER)),
        )
        base = by_name.get(metric.statistics_of) if metric.statistics_of else None
        if metric.statistics_of and (base is None or base.statistics_of):
            raise InputError(
                f"the metric '{metric.name}' cannot be derived from '{metric.statistics_of}'",
                hint="it must be a metric that stores its own statistics",
            )
        for function in metric.functions:
            if functions.setdefault(function.name, function) != function:
                raise InputError(
                    f"the metric '{metric.name}' brings another function '{function.name}'",
                    hint="rename the function: one name, one function",
                )


def metric_named(name: str) -> Metric:
    """Return a metric. Raises UnknownNameError, which tells the nearest."""
    check_names("metric", [name], metrics(), hint="'tracker score --list-metrics' lists them")
    return metrics()[name]


def direction(name: str) -> int:
    """Return -1 for marked errors and metrics of which less is better, else 1, as for criteria."""
    metric = metrics().get(name)
    lower = metric.better == LOWER if metric else is_errors(name)
    return -1 if lower else 1


def is_errors(measure: str) -> bool:
    """Return whether a measure counts errors that people marked: mqm_errors, mqm_errors[major]."""
    return measure.partition("[")[0].endswith(ERRORS)


def notes(names: Iterable[str]) -> list[str]:
    """Return what has to be said of those of the names that are metrics, in the metrics' order."""
    wanted = {*names}
    return [
        f"{label_of(name)}: {metric.note}"
        for name, metric in metrics().items()
        if metric.note and name in wanted
    ]


def scorable_metrics() -> list[Metric]:
    """Return the metrics that 'tracker score' computes: they need no rules, parser or model."""
    return [metric for metric in metrics().values() if metric.statement]


def tabled_metrics() -> list[Metric]:
    """Return the metrics that views have columns for: scorable ones, then external ones."""
    every = metrics().values()
    external = [metric for metric in every if metric.text_level == EXTERNAL]
    return [*scorable_metrics(), *external]


def sentence_metric(name: str) -> Metric:
    """Return a metric that views have columns for. Raises what ``scorable_metric`` does."""
    metric = metric_named(name)
    return metric if metric.text_level == EXTERNAL else scorable_metric(name)


def scorable_metric(name: str) -> Metric:
    """Return one of the metrics that 'tracker score' computes.

    Raises UnknownNameError for what is no metric, InputError for one that has its own command.
    """
    metric = metric_named(name)
    if metric.text_level == EXTERNAL:
        raise InputError(f"'{name}' is computed elsewhere", hint=scoring_hint(name))
    if not metric.statement:
        raise InputError(
            f"'{name}' needs {metric.text_level} and choices of its own", hint=scoring_hint(name)
        )
    return metric


def scoring_hint(name: str) -> str:
    """Return which command brings a metric's scores: 'tracker score' for one that nobody knows."""
    metric = metrics().get(name)
    if metric is None:
        return "'tracker score' computes what is missing"
    does = "loads" if metric.text_level == EXTERNAL else "computes"
    return f"'{metric.command}' {does} its scores"


def usual_metrics() -> list[str]:
    """Return the names of the metrics that are shown without being asked, in their order."""
    return [metric.name for metric in tabled_metrics() if metric.usual]


WITHOUT_BLANKS = frozenset(("bo", "dz", "ja", "km", "lo", "lzh", "my", "th", "wuu", "yue", "zh"))
"""Languages that are written without blanks between words."""
OF_WORDS = ("bleu", "bleu_13a", "nist", "ter", "dist_pooled")
"""Metrics that find hardly any words in their raw text."""
OF_LETTERS = "chrf"
"""The metric by which such text is told."""


def headline_metrics() -> tuple[str, ...]:
    """Return the names of the metrics that are seen at first sight, in their order."""
    return tuple(metric.name for metric in tabled_metrics() if metric.headline)


def checks() -> list[str]:
    """Return the names of the metrics that tell what is amiss with outputs, in their order."""
    return [metric.name for metric in scorable_metrics() if metric.check]


def parts_by_kind() -> dict[str, tuple[str, Parts]]:
    """Return, by what a part is called, the metric that has such parts and what they are."""
    return {
        metric.parts.kind: (metric.name, metric.parts)
        for metric in metrics().values()
        if metric.parts
    }


def label_of(measure: str) -> str:
    """Return what a measure is called where it is shown: the metric's label, else its name.

    A part is called by the label of its metric, such as DEA[obl].
    """
    name, bracket, part = measure.partition("[")
    definition = metrics().get(name)
    label = definition.label if definition and definition.label else name.replace("_", " ")
    return f"{label}{bracket}{part}"


def unit_of(measure: str) -> str:
    """Return the unit of a measure: its metric's, z for people's scores, suspicion as it is."""
    name = measure.partition("[")[0]
    if name in metrics():
        return metrics()[name].unit
    if name.endswith("_z"):
        return "z"
    if is_errors(measure):
        return UNITS
    return name if name == "suspicion" else POINTS


def in_points(measure: str) -> bool:
    """Return whether a measure is a score from 0 to 1, whose changes are told in hundredths."""
    return unit_of(measure) == POINTS


def points(measure: str, value: float) -> float:
    """Return a value, or a difference, in the unit in which it is told to people."""
    return 100 * value if in_points(measure) else value


def for_each_metric(text: str) -> str:
    """Return a view's text with the lines that name ``{metric}`` once for each metric.

    Lines that follow each other stay together. They stand for the metrics that 'tracker score'
    computes and the external ones; a line with ``{position}`` for all there are, one with
    ``{part_score}`` for all that keep statistics of their parts in part_match, one that names
    ``{headline}`` instead for those seen at first sight. Names in braces are filled in from the
    metric.
    """
    written: list[str] = []
    for named, lines in groupby(text.split("\n"), key=_names_a_metric):
        block = "\n".join(lines)
        written += (
            [block.format(**_facts(metric)) for metric in _meant(block)] if named else [block]
        )
    return "\n".join(written)


def _names_a_metric(line: str) -> bool:
    return "{metric}" in line or "{headline}" in line


def _meant(block: str) -> list[Metric]:
    if "{headline}" in block:
        return [metric for metric in tabled_metrics() if metric.headline]
    if "{position}" in block:
        return list(metrics().values())
    if "{part_score}" in block:
        every = metrics().values()
        return [
            metric
            for metric in every
            if metric.parts and metric.parts.statement == "compared_parts"
        ]
    return tabled_metrics()


def _facts(metric: Metric) -> dict[str, Any]:
    """Return what may stand in braces; the texts as they are within SQL's quotes.

    Two hyphens would begin the comment of a column.
    """
    facts = {
        "metric": metric.name,
        "headline": metric.name,
        "position": list(metrics()).index(metric.name),
        "label": quoted(metric.heading.replace("--", "—"))[1:-1],
        "meaning": quoted(metric.column_comment.replace("--", "—"))[1:-1],
        "comment": metric.column_comment.replace("--", "—"),
        "better": metric.better,
        "unit": metric.unit,
        "lowest": metric.lowest,
        "highest": metric.highest,
        "missing": metric.missing,
        "has_formula": metric.formula is not None,
        "kind": quoted(metric.parts.kind)[1:-1] if metric.parts else None,
        "uses_several": bool(metric.several),
        "is_of_package": metric.name in packages.packages(),
        "part_score": metric.parts.score if metric.parts else None,
    }
    return {name: "NULL" if value is None else value for name, value in facts.items()}
