"""What the charts share: colours, readable names, headings, and room for text."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from ....queries.metrics.registry import External, external_metrics, tabled_metrics
from ....schema.errors import InputError

if TYPE_CHECKING:
    import altair
    import pandas as pd
    from altair.typing import ChartType

BLUE, ORANGE, RED, GREY = "#4c78a8", "#f58518", "#e45756", "#9a9a9a"

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
    performance = {each.name: (each.heading, each.full_name) for each in tabled_metrics()}
    return {**performance, **HUMAN, **COMPLEXITY}


def short_names() -> dict[str, str]:
    """Return the names of measures for axes and cells."""
    return {measure: short for measure, (short, _) in _names().items()}


def long_name(measure: str) -> str:
    """Return the name of a measure with its abbreviation, such as 'mean arity (MA)'."""
    short, long = _names().get(measure, (measure, measure))
    return long if long == short else f"{long} ({short})"


def ordered_measures(measures: Iterable[str]) -> list[str]:
    """Return measures in the order of the paper's Figure 2: performance, then complexity.

    Metrics unknown here follow the known ones, then other human criteria (names ending in _z).
    """
    known = list(_names())
    first_human, first_complexity = known.index("adequacy_z"), known.index("mfs")

    def place(measure: str) -> tuple[float, str]:
        if measure in known:
            return known.index(measure), measure
        return (first_complexity if measure.endswith("_z") else first_human) - 0.5, measure

    return sorted(set(measures), key=place)


def require_rows(rows: pd.DataFrame, what: str) -> None:
    """Raise InputError where there are no rows, so that no empty picture is drawn."""
    if rows.empty:
        raise InputError(
            f"there is nothing to draw: no {what}",
            hint="choose other rows, or compute them with 'tracker analyse'",
        )


def require_single(rows: pd.DataFrame, keys: list[str], what: str) -> None:
    """Raise InputError where several rows have the same keys and would be drawn on each other."""
    repeated = rows[rows.duplicated(keys)]
    if not repeated.empty:
        example = " and ".join(str(repeated.iloc[0][key]) for key in keys)
        raise InputError(
            f"the rows are not those of one {what}: {example} comes twice",
            hint=f"select one {what}",
        )


def heading(title: str, *lines: str) -> altair.TitleParams:
    """Return a title with lines of explanation below it, set flush left."""
    import altair

    return altair.TitleParams(
        title, subtitle=list(lines), anchor="start", frame="bounds", subtitlePadding=4, offset=14
    )


def captioned(chart: ChartType, line: str) -> ChartType:
    """Return a chart with one more line below its title, where there is one to add."""
    if line:
        title: Any = chart.title
        lines = title.subtitle if isinstance(title.subtitle, list) else [title.subtitle]
        title.subtitle = [*lines, line]
    return chart


def signed(value: float) -> str:
    """Return a number with two digits and a true minus sign, and zero without one."""
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text.replace("-", "−")


def text_width(text: str, font_size: float) -> float:
    """Return about how many pixels wide a text is; East Asian letters are square."""
    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    return font_size * (wide + 0.58 * (len(text) - wide))
