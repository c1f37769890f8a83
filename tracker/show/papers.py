"""Tables as papers and notes print them: LaTeX with booktabs, and Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sr_tracker.schema.errors import visible
from sr_tracker.tracker.show.model import Cell, Column, Table, Words
from sr_tracker.tracker.show.text.words import plain_text

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "[": r"{[}",
    "]": r"{]}",
    "−": r"$-$",
    "–": "--",
    "▲": r"$\blacktriangle$",
    "▼": r"$\blacktriangledown$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "≈": r"$\approx$",
    "→": r"$\rightarrow$",
}
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def latex(table: Table) -> str:
    """Return a table as a LaTeX ``tabular`` of the package booktabs, its text escaped.

    Numbers stand on the right; brackets at the start of a line cannot end it.
    """
    columns, rows = _content(table, _latex)
    form = "".join("r" if column.numeric else "l" for column in columns)
    head = " & ".join(_latex(column.name) for column in columns)
    body: list[str] = []
    for starts, row in rows:
        body += [r"\midrule"] if starts and body else []
        body.append(" & ".join(row) + r" \\")
    lines = [rf"\begin{{tabular}}{{{form}}}", r"\toprule", head + r" \\", r"\midrule", *body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def markdown(table: Table) -> str:
    """Return a table as Markdown (GitHub's), its text escaped, numbers on the right."""
    columns, rows = _content(table, _markdown)
    heads = [_markdown(column.name) for column in columns]
    rules = ["---:" if column.numeric else ":---" for column in columns]
    lines = [heads, rules, *(row for _, row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _content(
    table: Table, escaped: Callable[[str], str]
) -> tuple[Sequence[Column], list[tuple[bool, list[str]]]]:
    """Return columns, and rows with whether each starts a group; links are left out."""
    places = [n for n, column in enumerate(table.columns) if column.kind != "links"]
    rows = [
        (line.starts, [escaped(plain_text(_words(line.cells[place]))) for place in places])
        for line in table.lines
    ]
    return [table.columns[place] for place in places], rows


def _words(cell: Cell) -> Words:
    if cell.card is None:
        return cell.text
    return " / ".join(plain_text(text) for _, text in cell.card.facts)


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in visible(text))


def _markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", visible(text))
