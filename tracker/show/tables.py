"""Rows of data as the cells of a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ...queries.cross_tables import APART, BETTER, VALUE
from ...queries.formats import Rows, plain, plain_rows
from ...queries.metrics.columns import measures_of
from ...queries.metrics.registry import headline_metrics, in_points, metrics, tabled_metrics
from ...queries.numbers import UNDEFINED, measured, number, probability
from ...schema.brief import plural
from ...schema.statements import Row
from .languages import named_language
from .model import WHOLE_OR_NOT, Cell, Column, Document, Kind, Line, Section, Table, Tone

if TYPE_CHECKING:
    import pyarrow as pa

Columns = Mapping[str, Column]
PATTERN = "pattern"
"""What columns of subtree patterns are called."""
RAW_DIGITS = 4
IN_POINTS = "scores in points, 0 to 100"
"""What is said once of a table with scores."""
_SIGNED = ("change", "difference")
"""What columns of differences end with, which have signs."""
_SEEN = 1000
"""Rows that decide which columns are needed to know rows apart."""
_UNBROKEN = re.compile(
    r"[0-9a-f]{32,} | (pattern\ )? \{.{30,}\} | (?=.*\|)\S{25,}", re.DOTALL | re.VERBOSE
)
"""What a line could only break within: hashes, objects and Grew requests, settings as one word."""
_IDENTITY = re.compile(r"\w+_id|(base_)?iteration|system_kind|language|track|year|sentence_no")
_LONGEST = 40
"""Letters of a name that is never broken."""
_NARROW = 24
"""Letters of a name that may stand before scores; longer ones only where none other tells."""


def cell(value: Any, column: Column) -> Cell:
    """Return a value as a cell of the column."""
    if value is None:
        return Cell(UNDEFINED)
    if column.kind == "yes":
        return Cell("yes" if value else "no", float(not value))
    if column.kind == "probability":
        return Cell(probability(value), float(value))
    if column.kind == "number":
        share = min(max(float(value), 0.0), 1.0) if column.bar else None
        return Cell(number(value, column.digits), float(value), share=share)
    return Cell(str(value), str(value))


def table(caption: str, columns: Columns, rows: Sequence[Row], **options: Any) -> Table:
    """Return a table of rows; columns that are undefined in all of them are left out."""
    present = {key: c for key, c in columns.items() if any(row[key] is not None for row in rows)}
    lines = [Line([cell(row[key], column) for key, column in present.items()]) for row in rows]
    return Table(caption, [*present.values()], lines, **options)


def filled(
    caption: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Any]],
    *,
    groups: Sequence[Any] = (),
    **options: Any,
) -> Table:
    """Return a table of rows of values, each a cell as it is or as its column shows it.

    A line parts a row from the one before that is of another of the ``groups``.
    """
    lines = [
        Line(
            [
                value if isinstance(value, Cell) else cell(value, column)
                for value, column in zip(row, columns, strict=True)
            ],
            starts=bool(groups and place and groups[place] != groups[place - 1]),
        )
        for place, row in enumerate(rows)
    ]
    return Table(caption, columns, lines, **options)


def rows_table(
    rows: pa.Table | Rows,
    caption: str = "",
    *,
    raw: bool = False,
    measures: Mapping[str, Sequence[str | None]] | None = None,
    note: str = "",
    **options: Any,
) -> Table:
    """Return rows as a table: scores in their units, which the note says, other floats as they are.

    ``raw`` leaves scores as data have them. ``measures`` are those of the rows by columns that hold
    scores, as ``measures_of`` returns them, where the rows alone do not tell.

    Where a line is short, of the ids before any float only those that it takes to tell rows apart
    come first, and metrics seen at first sight before sentences and other metrics.
    Hashes and objects, which a line could only break within, stand there whole or not at all.
    """
    rows = plain_rows(rows)
    ends = (
        dict.fromkeys(second_metrics(rows.column_names), 1)
        | dict(_ending(rows))
        | dict.fromkeys(_unbroken(rows), WHOLE_OR_NOT)
    )
    remarks = {} if raw else {name: metric.note for name, metric in metrics().items()}
    columns = [
        Column(name, _kind_of(rows, name), ends=ends.get(name, 0), remark=remarks.get(name, ""))
        for name in rows.columns
    ]
    if raw:
        measures = {}
    elif measures is None:
        measures = measures_of_rows(rows)
    scores = {name: of for name, of in measures.items() if rows.kinds.get(name) == "float"}
    cells = zip(
        *(_cells(name, column, scores.get(name)) for name, column in rows.columns.items()),
        strict=True,
    )
    notes = [note, IN_POINTS if any(in_points(measure) for measure in _every(scores)) else ""]
    return Table(
        caption,
        columns,
        [Line(row) for row in cells],
        note="; ".join(filter(None, notes)),
        **options,
    )


def _every(scores: Mapping[str, Sequence[str | None]]) -> set[str]:
    return {measure for of_rows in scores.values() for measure in of_rows if measure}


@dataclass(frozen=True)
class Layout:
    """How rows become a cross table: by whom lines, columns and values are, and what stands out."""

    rows: str
    columns: str
    value: str
    digits: int = 2
    higher: bool | None = True
    """Whether the best value of a column, which is bold, is the highest; None for no best."""
    directions: Mapping[str, bool | None] = field(default_factory=dict)
    """The same of columns of which it is not ``higher``, by their names."""
    measures: Mapping[str, str] = field(default_factory=dict)
    """The measures of columns whose values are scores, by their names."""
    star: str = ""
    """The column that says whether a value has a star."""
    place: str = ""
    """The column of the place that stands in parentheses behind a value, where it has one."""
    apart: str = ""
    """The column that says whether a line stands apart, below the others, and is never the best."""
    fullest: bool = False
    """Whether the lines with the most values come first, not those of the first rows."""


def cross_table(rows: Sequence[Row], layout: Layout, caption: str = "") -> Table:
    """Return rows as a table with a line for each of ``rows`` and a column for each of ``columns``.

    The best value of a column is bold. Lines and columns come in the order of the rows.
    """
    heads = [*dict.fromkeys(row[layout.columns] for row in rows)]
    apart = {row[layout.rows] for row in rows if layout.apart and row[layout.apart]}
    values = {(row[layout.rows], row[layout.columns]): row for row in rows}
    sizes = Counter(name for name, _ in values)

    def place(name: Any) -> tuple[bool, int, str]:
        return (name in apart, -sizes[name], name) if layout.fullest else (name in apart, 0, "")

    names = sorted(dict.fromkeys(row[layout.rows] for row in rows), key=place)
    best = {head: _best(rows, head, layout, apart) for head in heads}

    def shown(name: Any, head: Any) -> Cell:
        row = values.get((name, head))
        value = None if row is None else row[layout.value]
        if row is None or value is None:
            return Cell(UNDEFINED)
        star = "*" if layout.star and row[layout.star] else ""
        place = row[layout.place] if layout.place else None
        behind = star if place is None else f"{star} ({place:g})"
        tone: Tone = "strong" if value == best[head] and name not in apart else ""
        measure = layout.measures.get(head)
        text = number(value, layout.digits) if measure is None else measured(measure, value)
        return Cell(text + behind, float(value), tone)

    first = min((place for place, name in enumerate(names) if name in apart), default=None)
    lines = [
        Line(
            [Cell(str(name), str(name)), *(shown(name, head) for head in heads)], starts=n == first
        )
        for n, name in enumerate(names)
    ]
    columns = [Column(layout.rows, "text"), *(Column(str(head)) for head in heads)]
    return Table(caption, columns, lines, titled=bool(caption))


def crossed_table(rows: pa.Table) -> Table:
    """Return a cross table of ``queries.cross_tables`` as a table whose best values are bold."""
    line, *heads = rows.column_names
    metadata = rows.schema.metadata or {}
    apart = metadata.get(APART, b"").decode().split("\n")
    better = {
        head: (rows.schema.field(head).metadata or {}).get(BETTER, b"").decode() for head in heads
    }
    cells = [
        {line: row[line], "column": head, "value": row[head], "apart": row[line] in apart}
        for row in rows.to_pylist()
        for head in heads
    ]
    directions = {head: value == "higher" if value else None for head, value in better.items()}
    layout = Layout(
        line,
        "column",
        "value",
        RAW_DIGITS,
        higher=None,
        directions=directions,
        measures={head: of[0] for head, of in measures_of_rows(rows).items() if of and of[0]},
        apart="apart",
    )
    return cross_table(cells, layout)


def measures_of_rows(rows: pa.Table | Rows, measure: str = "") -> dict[str, Sequence[str | None]]:
    """Return the measures of rows by their columns of scores, those of a cross table as well.

    Scores are of the ``measure`` where no column says of which.
    """
    if isinstance(rows, Rows) or APART not in (rows.schema.metadata or {}):
        rows = plain_rows(rows)
        return measures_of(
            {name: of for name, of in rows.columns.items() if rows.kinds[name] != "whole"},
            measure,
        )
    values = {field.name: (field.metadata or {}).get(VALUE, b"").decode() for field in rows.schema}
    measured = measures_of({name: [None] * rows.num_rows for name in values.values()})
    return {name: measured[of] for name, of in values.items() if of in measured}


def _best(rows: Sequence[Row], head: Any, layout: Layout, apart: set[Any]) -> Any:
    values = [
        row[layout.value]
        for row in rows
        if row[layout.columns] == head
        and row[layout.rows] not in apart
        and row[layout.value] is not None
    ]
    higher = layout.directions.get(head, layout.higher)
    if not values or higher is None:
        return None
    return max(values) if higher else min(values)


def second_metrics(names: Iterable[str]) -> set[str]:
    """Return the metrics among names that are not seen at first sight, where others are."""
    named, first = {*names}, {*headline_metrics()}
    return named & {metric.name for metric in tabled_metrics()} - first if named & first else set()


def without_empty_columns(rows: pa.Table | Rows) -> Rows:
    """Return rows without the columns that are undefined in all of them."""
    rows = plain_rows(rows)
    empty = [
        name for name, column in rows.columns.items() if all(value is None for value in column)
    ]
    return rows.drop_columns(empty) if len(rows) else rows


def constant_columns(rows: pa.Table | Rows, scores: Collection[str]) -> list[str]:
    """Return the columns, but scores, that say the same in all of several rows, unless all do.

    Numbers stay where no other is left.
    """
    rows = plain_rows(rows)
    if len(rows) < 2:
        return []
    numbers = [name for name in rows.columns if _is_number(rows, name)]
    alike = [
        name
        for name, column in rows.columns.items()
        if name not in scores and all(value == column[0] for value in column)
    ]
    if len(alike) == len(rows.columns):
        return []
    return [name for name in alike if name not in numbers] if {*numbers} <= {*alike} else alike


def table_document(table: Table, title: str = "Rows") -> Document:
    """Return a table as a document of its own."""
    rows = plural(len(table.lines), "row")
    return Document("Table", title, [Section("rows", "Rows", "", blocks=[table])], lead=rows)


def _kind_of(rows: Rows, name: str) -> Kind:
    if _is_number(rows, name):
        return "number"
    values = rows.columns[name][:_SEEN]
    named = _IDENTITY.fullmatch(name) and max(map(len, map(str, values)), default=0) <= _LONGEST
    if named or any(isinstance(value, datetime) for value in values):
        return "whole"
    return "pattern" if name == PATTERN else "text"


def _is_number(rows: Rows, name: str) -> bool:
    return rows.kinds[name] in ("whole", "float")


def _shown_values(name: str, values: Sequence[Any]) -> Sequence[Any]:
    """Return a column's values; of codes of languages those with their names."""
    if name != "language":
        return values
    return [named_language(value) if isinstance(value, str) else value for value in values]


def _cells(
    name: str, values: Sequence[Any], measures: Sequence[str | None] | None
) -> Sequence[Cell]:
    """Return a column's cells; of scores each as its measure is told."""
    if measures is None:
        return [_plain_cell(value) for value in _shown_values(name, values)]
    sign = name.endswith(_SIGNED)
    return [
        _plain_cell(value) if measure is None else Cell(measured(measure, value, sign=sign), value)
        for value, measure in zip(values, measures, strict=True)
    ]


def _plain_cell(value: Any) -> Cell:
    if value is None:
        return Cell(UNDEFINED)
    if isinstance(value, datetime):
        return Cell(f"{value:%Y-%m-%d %H:%M:%S}")
    if isinstance(value, float):
        return Cell(number(value, RAW_DIGITS), value)
    return Cell(str(plain(value)), value if isinstance(value, int) else None)


def _ending(rows: Rows) -> Iterator[tuple[str, int]]:
    """Yield the columns before the first float that may be left out, and how early.

    These are ids that are not needed to tell rows apart and, later, sentences and counts.
    """
    names = rows.column_names
    floats = [place for place, name in enumerate(names) if rows.kinds[name] == "float"]
    before = names[: floats[0]] if floats else names
    texts = {name: [*map(str, rows.columns[name][:_SEEN])] for name in before}
    widths = {name: max(map(len, cells), default=0) for name, cells in texts.items()}

    def distinct(names: Sequence[str]) -> int:
        return len({*zip(*(texts[name] for name in names), strict=True)})

    def telling(name: str) -> tuple[int, bool, int]:
        return distinct([*needed, name]), _IDENTITY.fullmatch(name) is not None, -widths[name]

    ids = [name for name in texts if not _is_number(rows, name) or _IDENTITY.fullmatch(name)]
    names = [name for name in ids if _IDENTITY.fullmatch(name)]
    narrow = [name for name in names if widths[name] <= _NARROW]
    # A single row is told apart by nothing, but has a name.
    needed = [name for name in narrow or ids if rows.kinds[name] == "text"][: len(rows) == 1]
    for wanted in (narrow, names, ids, [*texts]):
        while distinct(needed) < distinct(wanted):
            needed.append(max(wanted, key=telling))
    needed += [name.removeprefix("base_") for name in needed]
    for name in texts.keys() - {*needed}:
        if _IDENTITY.fullmatch(name):
            yield name, WHOLE_OR_NOT
        elif widths[name] > _NARROW or _is_number(rows, name):
            yield name, 1


def _unbroken(rows: Rows) -> set[str]:
    """Return the columns of hashes and of objects."""
    return {
        name
        for name, values in rows.columns.items()
        if any(isinstance(value, str) and _UNBROKEN.fullmatch(value) for value in values[:_SEEN])
    }
