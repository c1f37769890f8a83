"""A gold graph and an output's graph beside each other, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sr_tracker.queries.meaning.explained import Side
from sr_tracker.queries.meaning.layout import Line

MARKS = {"missing": "-", "extra": "+", "changed": "~"}
_CLASSES = {"missing": "lost", "extra": "added", "changed": "altered"}


def graphs_figure(side: Side) -> str:
    """Return both graphs, then the triples they do not share; every text is escaped."""
    ours = _graph("graph of the output", side.lines) if side.lines else ""
    listed = "".join(
        f"<li{_marked(each.kind)}>{MARKS[each.kind]} "
        f"{escape(each.triple if each.instead is None else f'{each.triple} → {each.instead}')}</li>"
        for each in side.unmatched
    )
    triples = f'<ul class="triples">{listed}</ul>' if listed else ""
    return f'<div class="graphs">{_graph("gold graph", side.gold_lines)}{ours}</div>{triples}'


def told_scores(side: Side) -> list[tuple[str, str]]:
    """Return the names and values of what is known of an output."""
    numbers = (("F1", side.f1), ("precision", side.precision), ("recall", side.recall))
    found = [(name, "–" if value is None else f"{value:.3f}") for name, value in numbers]
    if side.accepted is not None:
        found.append(("form", "acceptable" if side.accepted else "not acceptable"))
    if side.quality is not None:
        found.append(("parse quality", f"{side.quality:.2f}"))
    if side.status not in ("optimal", "no graph"):
        found.append(("alignment not proved", side.status))
    return found


def _graph(title: str, lines: Sequence[Line]) -> str:
    written = []
    for line in lines:
        mark = MARKS.get(line.kind or "", " ")
        pieces = "".join(
            f"<span{_marked(piece.kind)}>{escape(piece.text)}</span>"
            if piece.kind
            else escape(piece.text)
            for piece in line.pieces
        )
        written.append(f"{mark} {pieces}")
    text = "\n".join(written)
    return f"<figure><figcaption>{title}</figcaption><pre>{text}</pre></figure>"


def _marked(kind: str | None) -> str:
    return f' class="{_CLASSES[kind]}"' if kind else ""
