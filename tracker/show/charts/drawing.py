"""Charts as data: Vega-Lite specifications from files, filled with rows and settings.

In a file a text such as ``$rows`` stands for the setting of that name, and the object
``{"$each": "panels", "$draw": …}`` for a list: what is drawn of each of the panels, which are
settings themselves. What is filled in is data and never read as a specification.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from typing import Any, TypeAlias

from ....queries.metrics.columns import measures_of
from ....queries.metrics.registry import (
    External,
    external_metrics,
    in_points,
    points,
    tabled_metrics,
)
from ....schema.errors import InputError
from ....schema.statements import Row
from ....schema.themes import packages

Specification: TypeAlias = "dict[str, Any]"

COLOURS = {"blue": "#4c78a8", "orange": "#f58518", "red": "#e45756", "grey": "#9a9a9a"}
"""Colours that the files have by their names."""
CONFIG = {
    "title": {"anchor": "start", "frame": "bounds", "subtitlePadding": 4, "offset": 14},
    "view": {"continuousWidth": 300, "continuousHeight": 300},
}
"""The style of all charts: a title is set flush left, with lines of explanation below it."""


def draw(name: str, title: str, lines: Sequence[str], **settings: Any) -> Specification:
    """Return the specification of a file, filled with settings, with a title and lines below it."""
    chart = {**_filled(_template(name), {**COLOURS, **_plain(settings)}), "config": CONFIG}
    return {**chart, "title": {"text": title, "subtitle": [*lines]}} if title else chart


@lru_cache
def _template(name: str) -> Any:
    """Return the file of a name, which is beside this module or in the package of a theme."""
    places = [files(__package__), *map(files, packages("tracker"))]
    (file,) = (place / f"{name}.json" for place in places if (place / f"{name}.json").is_file())
    return json.loads(file.read_text(encoding="utf-8"))


def _filled(part: Any, settings: Mapping[str, Any]) -> Any:
    """Return a part of a file with its settings."""
    if isinstance(part, str):
        return settings[part[1:]] if part.startswith("$") else part
    if isinstance(part, list):
        return [_filled(item, settings) for item in part]
    if not isinstance(part, dict):
        return part
    if "$each" in part:
        panels = settings[part["$each"]]
        return [_filled(part["$draw"], {**settings, **panel}) for panel in panels]
    return {name: _filled(value, settings) for name, value in part.items()}


def _plain(value: Any) -> Any:
    """Return a value as JSON may hold it: DuckDB's wide numbers, moments and NaN it may not."""
    if isinstance(value, str | int | None):
        return value
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    if isinstance(value, date):
        return value.isoformat()
    return None if value != value else value


def records(rows: Any) -> list[Row]:
    """Return rows, those of a statement or a table of Arrow, as a list of their values by name."""
    return [_plain(row) for row in (rows.to_pylist() if hasattr(rows, "to_pylist") else rows)]


def in_units(rows: Sequence[Row], measure: str = "") -> list[Row]:
    """Return rows with scores in their units, as people read them.

    They are of the ``measure`` where no column says of which.
    """
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    counts = {
        name
        for name, column in columns.items()
        if any(isinstance(value, int) for value in column)
        and not any(isinstance(value, float) for value in column)
    }
    scores = measures_of(
        {name: column for name, column in columns.items() if name not in counts}, measure
    )
    return [
        row | {name: _in_unit(of[place], row[name]) for name, of in scores.items() if name in row}
        for place, row in enumerate(rows)
    ]


def _in_unit(measure: str | None, value: Any) -> Any:
    return points(measure, value) if measure and isinstance(value, int | float) else value


def defined(rows: Any, *names: str) -> list[Row]:
    """Return the rows in which all of these values are defined."""
    return [row for row in records(rows) if all(row[name] is not None for name in names)]


def values(row: Row, *names: str) -> Row:
    """Return these values of a row, as far as it has them."""
    return {name: row[name] for name in names if name in row}


def by(rows: Sequence[Row], *names: str) -> dict[Any, list[Row]]:
    """Return the rows by the value of a column, or the values of several, in order."""
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        key = row[names[0]] if len(names) == 1 else tuple(row[name] for name in names)
        groups.setdefault(key, []).append(row)
    return groups


def run_names(rows: Sequence[Row]) -> dict[str, str]:
    """Return how submissions are called: system and iteration where that says which it is."""
    short = {
        row["submission_id"]: row["system_id"]
        if row["iteration"] == 1
        else f"{row['system_id']}@{row['iteration']}"
        for row in rows
    }
    names = [*short.values()]
    return {
        submission_id: name if names.count(name) == 1 else submission_id
        for submission_id, name in short.items()
    }


def require_rows(rows: Sequence[Any], what: str) -> None:
    """Raise InputError where there are no rows, so that no empty picture is drawn."""
    if not rows:
        raise InputError(
            f"there is nothing to draw: no {what}",
            hint="choose other rows, or compute them with 'tracker analyse'",
        )


def require_single(rows: Sequence[Row], keys: Sequence[str], what: str) -> None:
    """Raise InputError where several rows have the same keys and would be drawn on each other."""
    for group in by(rows, *keys).values():
        if len(group) > 1:
            example = " and ".join(str(group[0][key]) for key in keys)
            raise InputError(
                f"the rows are not those of one {what}: {example} comes twice",
                hint=f"select one {what}",
            )


def captioned(chart: Specification, line: str) -> Specification:
    """Return a chart with one more line below its title, where there is one to add."""
    if not line:
        return chart
    title = chart["title"]
    return {**chart, "title": {**title, "subtitle": [*title["subtitle"], line]}}


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
