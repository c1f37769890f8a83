"""What is shown, whatever it is shown on: a document of sections, tables, figures, trees, cards.

Results become documents in ``show.findings`` and ``tracker.pages``; ``show.html`` and ``show.text``
write them. All text is as it came: the writers escape it, or make it visible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .trees import Dependency, DependencyTree

Kind = Literal[
    "text", "whole", "pattern", "links", "sentence", "number", "probability", "interval", "yes"
]
"""What a column holds; whole is text on one line."""
WordTone = Literal["matched", "missing", "extra", "stray", "moved", "changed"]
"""How words and triples differ from others: in the pattern, lacking, only here, out of place,
elsewhere, with another value."""
Tone = Literal["", "muted", "strong", "code", "better", "worse", "doubt"] | WordTone
"""How a text stands out."""


@dataclass(frozen=True)
class Span:
    """A piece of a text that stands out."""

    text: str
    tone: Tone = ""
    address: str = ""
    """Where it leads to; made by us, never from outside."""


Words: TypeAlias = str | Sequence[Span]
"""A text, whole or in pieces."""


def plain_text(words: Words) -> str:
    """Return a text without its tones."""
    return words if isinstance(words, str) else "".join(span.text for span in words)


WHOLE_OR_NOT = 2
"""``Column.ends`` of a column that is left out where a line has no room for all of it."""


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    kind: Kind = "number"
    meaning: str = ""
    digits: int = 3
    bar: bool = False
    """Whether a bar behind the figure shows it as a share of 1."""
    ends: int = 0
    """How early it is left out where a line is short: 1 what tells less, WHOLE_OR_NOT ids."""
    remark: str = ""
    """What is said below the table where it is shown."""
    leads: str = ""
    """The address of the table sorted by it, where that is not done on the page."""
    sorted: Literal["", "ascending", "descending"] = ""

    @property
    def numeric(self) -> bool:
        """Whether its cells are numbers."""
        return self.kind in ("number", "probability")


@dataclass(frozen=True)
class Link:
    """A link to a place on the page."""

    text: str
    target: str
    title: str = ""


@dataclass(frozen=True)
class Interval:
    """An interval of a change, drawn on a scale with zero amid and ``scale`` at its ends."""

    low: float
    middle: float
    high: float
    scale: float


@dataclass(frozen=True)
class Whisker:
    """An interval around a value, as shares of a common scale, and in words."""

    low: float
    middle: float
    high: float
    text: str


@dataclass(frozen=True)
class Sparkline:
    """Values in their order, as shares of their range, and in words."""

    points: Sequence[tuple[float, Tone]]
    """Each with whether it was tested to be better or worse than the one before."""
    text: str


@dataclass(frozen=True)
class Cell:
    """A cell of a table: what is shown, and what it is sorted by."""

    text: Words = ""
    sort: str | float | None = None
    tone: Tone = ""
    share: float | None = None
    title: str = ""
    links: Sequence[Link] = ()
    card: Card | None = None
    interval: Interval | None = None
    whisker: Whisker | None = None
    sparkline: Sparkline | None = None


@dataclass(frozen=True)
class Line:
    """A row of a table."""

    cells: Sequence[Cell]
    anchor: str = ""
    tone: Tone = ""
    starts: bool = False
    """Whether it starts a new group of rows."""


@dataclass(frozen=True)
class Table:
    """A table that can be sorted."""

    caption: str
    columns: Sequence[Column]
    lines: Sequence[Line]
    shown: int | None = None
    """How many rows are seen at first; None for all."""
    rest: str = "rows"
    """What the others are."""
    note: str = ""
    filterable: bool = False
    titled: bool = False
    """Whether the caption is seen, or only read out."""
    query: str = ""
    """What makes it in SQL, where that does."""


@dataclass(frozen=True)
class Figure:
    """A drawing with what it shows in words, and what gives its data in SQL, where that does."""

    name: str
    svg: str
    alternative: str
    query: str = ""


@dataclass(frozen=True)
class Chart:
    """A chart that the page's script draws: its rows also stand in a table beside it."""

    name: str
    specification: Mapping[str, Any]
    """In Vega-Lite, with its rows."""
    alternative: str
    """What it shows, in words."""
    caption: str = ""
    """How to read it."""
    query: str = ""
    """What gives its data in SQL, where that does."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph."""

    text: Words
    tone: Tone = "muted"


@dataclass(frozen=True)
class Pane:
    """Lines under a title, as they are: a graph."""

    title: str
    lines: Sequence[Words]


@dataclass(frozen=True)
class Panes:
    """Lines beside each other, and lines below them."""

    panes: Sequence[Pane]
    below: Sequence[Words] = ()


@dataclass(frozen=True)
class Branch:
    """A node of a tree with what is below it."""

    text: Words
    children: Sequence[Branch] = ()
    share: float | None = None
    """A share of 1 that a bar shows."""


@dataclass(frozen=True)
class Tree:
    """A tree of patterns, or of runs."""

    title: Words
    root: Branch
    opened: bool = True


@dataclass(frozen=True)
class Card:
    """A sentence, or whatever else has facts under names, and what belongs to it."""

    title: Words = ""
    facts: Sequence[tuple[str, Words]] = ()
    origin: Words = ""
    """Where it is from and how it scores."""
    blocks: Sequence[Block] = ()
    anchor: str = ""
    place: str = ""
    """Where else on the page it stands."""
    framed: bool = True
    tone: Tone = ""


@dataclass(frozen=True)
class Details:
    """Blocks that may be folded."""

    summary: Words
    blocks: Sequence[Block]
    anchor: str = ""
    opened: bool = False


@dataclass(frozen=True)
class Tab:
    """Some blocks under a name; one of several is seen at a time."""

    name: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Tabs:
    """Blocks of which one tab is seen at a time."""

    group: str
    tabs: Sequence[Tab]


@dataclass(frozen=True)
class Field:
    """Something that may be chosen or typed."""

    name: str
    label: str
    value: str = ""
    """A line for each that is chosen of several."""
    options: Sequence[tuple[str, str]] = ()
    """Values and what they are called; none for text that is typed."""
    lines: int = 1
    completed: bool = False
    """Whether names of tables and columns are offered while it is typed."""
    several: bool = False
    """Whether more than one option may be chosen."""


@dataclass(frozen=True)
class Form:
    """Fields that lead to another state of a page."""

    action: str
    fields: Sequence[Field]
    button: str = "Show"
    posts: bool = False
    """Whether it changes something: seen only where that may be."""
    brushes: str = ""
    """The figure whose ranges its fields a and b hold, and the section that follows from them."""


@dataclass(frozen=True)
class Brought:
    """What is brought from another page once this one is shown; without a script, a link to it."""

    address: str
    text: str
    """What is said until then."""
    parts: str
    """Which parts of the page, as a selector of CSS."""


Block: TypeAlias = (
    Paragraph
    | Table
    | Figure
    | Chart
    | DependencyTree
    | Dependency
    | Panes
    | Tree
    | Card
    | Details
    | Tabs
    | Form
    | Brought
)


@dataclass(frozen=True)
class Section:
    """A section: how to read it, and what it shows, or why it shows nothing."""

    anchor: str
    name: str
    """For the list of sections."""
    title: str
    reading: str = ""
    blocks: Sequence[Block] = ()
    missing: str = ""
    beside: bool = False
    """Whether a figure and a table fit beside each other on a wide page."""


@dataclass(frozen=True)
class KeyFigure:
    """A number at the head of a page; it stands below as well."""

    name: str
    value: str
    meaning: str = ""
    tone: Tone = ""
    change: str = ""
    """How it changed, which the tone is about then."""
    folded: bool = False
    """Whether it is seen only where somebody asks for more."""


@dataclass(frozen=True)
class Document:
    """Everything that is shown of a result."""

    kind: str
    title: str
    sections: Sequence[Section]
    lead: str = ""
    """What it is about, in a sentence or a line of facts."""
    verdict: Sequence[str] = ()
    """What it comes to, in a sentence or two."""
    tone: Tone = ""
    """Whether that is better or worse."""
    objections: Sequence[str] = ()
    """Why nothing should have been shown."""
    figures: Sequence[KeyFigure] = ()
    notes: Sequence[str] = ()
    legend: Sequence[str] = ()
    """What marks and units mean."""
    tones: Sequence[tuple[Tone, str]] = ()
    """What words of these tones are."""
    provenance: Sequence[tuple[str, str]] = ()
    comparable: str = ""
    """With which others its numbers may be compared."""
    made: str = ""
    language: str = ""
    """The code of the one language that its sentences are in, where they are."""


@dataclass(frozen=True)
class Page:
    """A document where one can look around: where it stands, and what may be chosen on it."""

    document: Document
    trail: Sequence[Span] = ()
    """The pages above it."""
    forms: Sequence[Form] = ()
    beside: Sequence[Span] = ()
    """The pages before and after it."""
