"""Tables on a terminal: as many of their columns as fit, those that tell most first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich import box
from rich.cells import cell_len
from rich.table import Table as Grid
from rich.text import Text

from ....queries.numbers import UNDEFINED
from ....schema.errors import visible
from ..model import Cell, Column, Table, Words, plain_text
from .words import STYLES

NARROWEST, NAME_NARROWEST = 12, 24
"""Columns of text are folded to no fewer letters; those before numbers tell what a row is about."""
_SEEN = 100
"""Rows by which the width of a column is told."""
_BETWEEN = 2


def fitted(table: Table, width: int | None) -> tuple[list[int], list[Column]]:
    """Return the columns that fit, as places in the order to show, and those that do not.

    Where all fit they stand as they are; else those that may end a line come last and go first.
    None for ``width`` lets all fit.
    """
    places = [n for n, column in enumerate(table.columns) if column.kind != "links"]
    needed = {place: _needed(table, place) for place in places}
    if width is None or sum(needed.values()) - _BETWEEN <= width:
        return places, []
    places.sort(key=lambda place: table.columns[place].ends)
    used, shown = -_BETWEEN, list[int]()
    for place in places:
        used += needed[place]
        if used <= width or not shown:
            shown.append(place)
        else:
            used -= needed[place]
    return shown, [table.columns[place] for place in places if place not in shown]


def grid(table: Table, places: Sequence[int], text: Callable[[Words], Text]) -> Grid:
    """Return a table of these columns to print; ``text`` makes texts in pieces ready."""
    drawn = Grid(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for place in places:
        column = table.columns[place]
        fixed = _width(table, place) + _BETWEEN == _needed(table, place)
        drawn.add_column(
            visible(column.name),
            justify="right" if column.numeric or column.kind == "interval" else "left",
            no_wrap=fixed,
            overflow="fold",
        )
    for number, line in enumerate(table.lines):
        if line.starts and number:
            drawn.add_section()
        cells = []
        for place in places:
            cell = text(_words(line.cells[place]))
            cell.style = STYLES[line.cells[place].tone]
            cells.append(cell)
        drawn.add_row(*cells)
    return drawn


def reasons(table: Table) -> list[str]:
    """Return why cells are undefined, with the columns that are: what a page tells at the cell."""
    by_reason: dict[str, dict[str, None]] = {}
    for line in table.lines:
        for column, cell in zip(table.columns, line.cells, strict=True):
            if cell.text == UNDEFINED and cell.title:
                by_reason.setdefault(cell.title, {})[column.name] = None
    return [f"{UNDEFINED} of {', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _words(cell: Cell) -> Words:
    if cell.card is None:
        return cell.text
    return "\n".join(f"{name}: {plain_text(text)}" for name, text in cell.card.facts)


def _width(table: Table, place: int) -> int:
    cells = (plain_text(_words(line.cells[place])) for line in table.lines[:_SEEN])
    return max([cell_len(table.columns[place].name), *map(cell_len, cells)])


def _needed(table: Table, place: int) -> int:
    width = _width(table, place)
    column = table.columns[place]
    if column.numeric or column.kind in ("interval", "whole"):
        return width + _BETWEEN
    named = not any(before.numeric for before in table.columns[: place + 1]) and not column.ends
    least = max(NAME_NARROWEST if named else NARROWEST, cell_len(column.name))
    return min(width, least) + _BETWEEN
