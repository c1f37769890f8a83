"""Papers as data: a folder each, of the core and of themes, with ``paper.toml`` and tables.

``paper.toml`` names what is computed first and the parts, each a statement of ``queries/papers``,
or a method of a Tracker, with its layout, and what is done otherwise than in the paper;
``PART.csv`` holds the published values, in the paper's units.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from ...schema.themes import folders
from ..show.tables import Layout


@dataclass(frozen=True)
class Run:
    """A method of a Tracker and what it takes: computed before the parts are read, or for one."""

    operation: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    named: Mapping[str, Any] = field(default_factory=dict)
    filtered: bool = True
    """Whether it takes the selection."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Its parameters whose values the user names, each with the name that these have there."""
    optional: Sequence[str] = ()
    """Those of these names that may be missing."""
    split: str = ""
    """The split of the treebanks for each of which it is computed, as its first argument."""
    unless: str = ""
    """The view that has a row of those treebanks for which it is not computed: it is there."""
    rows: str = ""
    """The member of what it returns that holds the rows, where that is not all of it."""


@dataclass(frozen=True)
class Part:
    """A table or a figure of a paper."""

    name: str
    """Such as table-2: of the files, and of the published values."""
    caption: str
    statement: str = ""
    """The statement that reads its rows, which takes those of ``settings`` that it names."""
    run: Run | None = None
    """What computes its rows, in place of a statement."""
    key: Sequence[str] = ()
    """The columns that tell rows apart, in the published values too; none without such values."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    layout: Layout | None = None
    """How the rows become a table of rows by columns; without it they are a row each."""
    chart: str = ""
    """The chart that draws the rows; a figure has one."""
    each: Sequence[str] = ()
    """The columns by which rows are figures of their own, and which name these."""
    tolerance: float | None = None
    """Values this near to the published ones are the same; None for half of the last digit that
    the paper prints in their column."""
    rests_on: Sequence[str] | None = None
    """The operations of the paper's runs that are computed for it; None for all of them, where
    a statement reads its rows, and for none, where it has a run of its own."""
    needs: str = ""
    """What is to be loaded for it."""
    published: Path | None = None
    """The published values, where the file is there: the key's columns, and those of numbers."""
    differs: str = ""
    """Why its numbers are not those of the paper, where that is known."""

    def needs_run(self, run: Run) -> bool:
        """Return whether one of the paper's runs is computed for it."""
        if self.rests_on is None:
            return self.run is None
        return run.operation in self.rests_on

    def published_values(self) -> list[dict[str, str]]:
        """Return the published values, a row each; none where the paper prints none."""
        if self.published is None or not self.published.is_file():
            return []
        with self.published.open(encoding="utf-8", newline="") as lines:
            return [*csv.DictReader(lines)]

    def published_digits(self) -> dict[str, int]:
        """Return how many digits the paper prints after the point, by the columns of numbers."""
        digits: dict[str, int] = {}
        for row in self.published_values():
            for column, printed in row.items():
                if column not in self.key and published_number(printed) is not None:
                    behind = len(printed.partition(".")[2])
                    digits[column] = max(behind, digits.get(column, 0))
        return digits


@dataclass(frozen=True)
class Difference:
    """Something that is done otherwise than in a paper, in several of its parts or in none."""

    what: str
    why: str
    """Why, and what it changes."""


@dataclass(frozen=True)
class Paper:
    """A paper's parts, and what is computed for them."""

    name: str
    title: str
    runs: Sequence[Run]
    parts: Sequence[Part]
    differences: Sequence[Difference] = ()

    def inputs(self) -> set[str]:
        """Return the names of the values that only the user has, such as files."""
        runs = [*self.runs, *(part.run for part in self.parts if part.run)]
        return {name for run in runs for name in run.inputs.values()}

    def with_parts_of(self, theme: Paper) -> Paper:
        """Return the paper with what a theme adds to it."""
        return replace(
            self,
            title=self.title or theme.title,
            runs=[*self.runs, *theme.runs],
            parts=[*self.parts, *theme.parts],
            differences=[*self.differences, *theme.differences],
        )


@cache
def papers() -> dict[str, Paper]:
    """Return the papers by their names: the core's own, then those of the themes."""
    by_name: dict[str, Paper] = {}
    for folder in folders("tracker", "papers"):
        for file in sorted(folder.glob("*/paper.toml")):
            paper = _read_paper(file)
            core = by_name.get(paper.name)
            by_name[paper.name] = paper if core is None else core.with_parts_of(paper)
    return by_name


def _read_paper(file: Path) -> Paper:
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    parts = [
        Part(
            **{
                **part,
                "layout": Layout(**part["layout"]) if "layout" in part else None,
                "run": Run(**part["run"]) if "run" in part else None,
                "published": file.with_name(f"{part['name']}.csv"),
            }
        )
        for part in content.get("part", ())
    ]
    runs = [Run(**run) for run in content.get("run", ())]
    differences = [Difference(**difference) for difference in content.get("difference", ())]
    return Paper(file.parent.name, content.get("title", ""), runs, parts, differences)


def published_number(printed: str) -> float | None:
    """Return a published value; None for what is no number, such as a range."""
    try:
        return float(printed)
    except ValueError:
        return None
