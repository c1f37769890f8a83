"""The parts of a page: sections of tables, figures, tabs, trees and example sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["text", "number", "probability", "pattern", "links", "sentence", "yes"]


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    kind: Kind = "number"
    meaning: str = ""
    digits: int = 3
    bar: bool = False
    """Whether a bar behind the figure shows it as a share of 1."""


@dataclass(frozen=True)
class Link:
    """A link to a place on the page."""

    text: str
    target: str
    title: str = ""


@dataclass(frozen=True)
class Sentence:
    """A reference and the output for it."""

    reference: str | None
    """None where the treebank hides its text."""
    output: str | None
    anchor: str
    submission_id: str
    sent_id: str | None
    scores: Sequence[tuple[str, str]] = ()
    pieces: Sequence[tuple[str, bool]] = ()
    """The reference in pieces, each with whether it is a matched word; empty where unknown."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table: what is shown, and what it is sorted by."""

    text: str = ""
    sort: str | float | None = None
    share: float | None = None
    links: Sequence[Link] = ()
    sentence: Sentence | None = None


@dataclass(frozen=True)
class Line:
    """A row of a table."""

    cells: Sequence[Cell]
    anchor: str | None = None


@dataclass(frozen=True)
class Table:
    """A table that can be sorted."""

    caption: str
    columns: Sequence[Column]
    lines: Sequence[Line]
    shown: int = 15
    """How many rows are seen at first."""
    note: str = ""
    filterable: bool = False
    type: str = "table"


@dataclass(frozen=True)
class Figure:
    """A drawing with what it shows in words."""

    name: str
    svg: str
    alternative: str
    type: str = "figure"


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str
    type: str = "text"


@dataclass(frozen=True)
class Examples:
    """A pattern with example sentences, worst first."""

    pattern: str
    summary: str
    anchor: str
    sentences: Sequence[Sentence]
    opened: bool = False
    type: str = "examples"


@dataclass(frozen=True)
class BrokenRule:
    """A grammar rule with drawings of links that break it."""

    rule: str
    summary: str
    figures: Sequence[str]
    """HTML, its text escaped."""
    type: str = "rule"


@dataclass(frozen=True)
class ExplainedOutput:
    """An output, and what its graph says otherwise than the gold graph."""

    sentence: Sentence
    scores: Sequence[tuple[str, str]]
    summary: str
    graphs: str
    """HTML, its text escaped."""
    type: str = "explained"


@dataclass(frozen=True)
class Branch:
    """A node of a suspicion tree with what is below it."""

    node: dict[str, Any]
    label: str
    children: Sequence[Branch] = ()


@dataclass(frozen=True)
class Tree:
    """A suspicion tree."""

    title: str
    root: Branch
    opened: bool
    type: str = "tree"


@dataclass(frozen=True)
class Tab:
    """Some blocks under a name; one of several is seen at a time."""

    name: str
    blocks: Sequence[Any]


@dataclass(frozen=True)
class Tabs:
    """Blocks of which one tab is seen at a time."""

    group: str
    tabs: Sequence[Tab]
    type: str = "tabs"


@dataclass(frozen=True)
class Section:
    """A section of the page: how to read it, and what it shows, or why it shows nothing."""

    anchor: str
    name: str
    """For the list of sections."""
    title: str
    reading: str
    blocks: Sequence[Any] = ()
    missing: str = ""
    beside: bool = False
    """Whether a figure and a table fit beside each other on a wide page."""
