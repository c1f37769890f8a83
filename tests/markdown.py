"""Markdown, as the reference pages have it."""

from __future__ import annotations

from collections.abc import Iterable


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown; what would end a cell is escaped."""
    head = list(head)
    cells = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in row) + " |"
        for row in cells
    )
