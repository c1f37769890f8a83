"""Tables as papers print them: LaTeX with booktabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...schema.errors import visible
from .model import Cell, Column, Table, Words, plain_text

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


def latex(table: Table) -> str:
    """Return a table as a LaTeX ``tabular`` of the package booktabs, its text escaped.

    Numbers stand on the right, what stands out is bold; brackets at the start of a line cannot end
    it. A table whose caption is seen floats with it.
    """
    columns, rows = table_content(table, _cell)
    form = "".join("r" if column.numeric else "l" for column in columns)
    head = " & ".join(_latex(column.name) for column in columns)
    body: list[str] = []
    for starts, row in rows:
        body += [r"\midrule"] if starts and body else []
        body.append(" & ".join(row) + r" \\")
    lines = [rf"\begin{{tabular}}{{{form}}}", r"\toprule", head + r" \\", r"\midrule", *body]
    lines += [r"\bottomrule", r"\end{tabular}"]
    if table.titled:
        lines = [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_latex(table.caption)}}}",
            *lines,
            r"\end{table}",
        ]
    return "\n".join([*lines, ""])


def table_content(
    table: Table, shown: Callable[[Cell], str]
) -> tuple[Sequence[Column], list[tuple[bool, list[str]]]]:
    """Return columns, and rows with whether each starts a group; links are left out.

    ``shown`` writes a cell.
    """
    places = [n for n, column in enumerate(table.columns) if column.kind != "links"]
    rows = [(line.starts, [shown(line.cells[place]) for place in places]) for line in table.lines]
    return [table.columns[place] for place in places], rows


def _cell(cell: Cell) -> str:
    text = _latex(plain_text(_words(cell)))
    return rf"\textbf{{{text}}}" if text and cell.tone == "strong" else text


def _words(cell: Cell) -> Words:
    if cell.card is None:
        return cell.text
    return " / ".join(plain_text(text) for _, text in cell.card.facts)


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in visible(text))
