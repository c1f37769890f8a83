"""What of the meaning outputs lose, in graphs beside each other, as a document."""

from __future__ import annotations

from collections.abc import Sequence

from ...queries.meaning.explained import Explained, Explanations, Line, Side, Unmatched
from ...queries.numbers import number
from ..show.findings.sentences import HIDDEN, NO_OUTPUT
from ..show.model import Block, Card, Document, Pane, Panes, Paragraph, Section, Span, Tone, Words

LEGEND = "- missing in the output · + only in the output · ~ changed · graphs in PENMAN notation"
_MARKS: dict[str, str] = {"missing": "-", "extra": "+", "changed": "~"}
_TONES: dict[str, Tone] = {"missing": "missing", "extra": "extra", "changed": "changed"}


def explanation_document(found: Explanations) -> Document:
    """Return sentences with the gold graph and the outputs' graphs, and what they differ in."""
    missing = "" if found.explained else "No output is like that."
    reading = (
        "The output's graph is a parser's: an error of the parser looks like one of the system."
    )
    cards = [explained_card(each) for each in found.explained]
    section = Section("outputs", "Outputs", "", "" if missing else reading, cards, missing)
    return Document(
        "Meaning explained",
        " against ".join(found.submissions),
        [section],
        lead=_lead(found),
        legend=[LEGEND] if found.explained else [],
        provenance=[
            ("references", found.treebank_id),
            ("graphs of outputs by", found.parser),
            ("alignment", f"{found.mode}, top: {found.top}"),
            ("form by", found.model or "–"),
            ("signature", found.signature_id),
        ],
    )


def explained_card(explained: Explained) -> Card:
    """Return a sentence with what one or two submissions made of it."""
    reference: Words = explained.reference or HIDDEN
    several = len(explained.sides) > 1
    sides = [_side(side, named=several) for side in explained.sides]
    facts, blocks = [("reference", reference)], list[Block](sides)
    if not several:
        facts, blocks = [*facts, *sides[0].facts], [*sides[0].blocks]
    return Card(
        explained.sent_id or str(explained.sentence_no),
        facts,
        blocks=blocks,
        anchor=f"sentence-{explained.sentence_no}",
    )


def _lead(found: Explanations) -> str:
    way = f"parser {found.parser} · top: {found.top}, {found.mode} alignment"
    if found.model:
        way += f" · form by {found.model}"
    several = len(found.submissions) > 1
    count = f"{len(found.explained):,} of {found.sentences:,}"
    if found.named:
        order = f"{count} sentences"
    elif several:
        order = f"{count} sentences: those where the F1 of meaning differs most"
    else:
        order = f"{count} outputs: those with the lowest F1 of meaning"
    if found.by == "form" and not found.named:
        order += ", among those that "
        order += "differ in acceptable form" if several else "are not acceptable in form"
    if found.without_graph:
        order += f" · {found.without_graph:,} without a graph"
    return f"{way} · {order}"


def _side(side: Side, *, named: bool) -> Card:
    blocks: list[Block] = []
    if side.flag and side.lines:
        blocks.append(Paragraph(side.flag, "doubt"))
    if side.unmatched:
        panes = [Pane("gold graph", [*map(_graph_line, side.gold_lines)])]
        if side.lines:
            panes.append(Pane("graph of the output", [*map(_graph_line, side.lines)]))
        blocks.append(Panes(panes, [*map(_triple, side.unmatched)]))
    return Card(
        [Span(side.submission_id, "strong")] if named else "",
        [
            ("output", side.output or NO_OUTPUT),
            ("scores", " · ".join(_scores(side))),
            ("meaning", side.summary),
        ],
        blocks=blocks,
        framed=False,
    )


def _scores(side: Side) -> list[str]:
    numbers = (("F1", side.f1), ("precision", side.precision), ("recall", side.recall))
    found = [f"{name} {number(value, 4)}" for name, value in numbers]
    if side.accepted is not None:
        found.append("form acceptable" if side.accepted else "form not acceptable")
    if side.quality is not None:
        found.append(f"parse quality {number(side.quality, 2)}")
    if side.status not in ("optimal", "no graph"):
        found.append(f"alignment not proved: {side.status}")
    return found


def _graph_line(line: Line) -> Sequence[Span]:
    """Return a line of a graph behind its mark."""
    kind = line.kind or ""
    sign = Span(f"{_MARKS.get(kind, ' ')} ", _TONES.get(kind, ""))
    return [sign, *(Span(piece.text, _TONES.get(piece.kind or "", "")) for piece in line.pieces)]


def _triple(each: Unmatched) -> Sequence[Span]:
    text = each.triple if each.instead is None else f"{each.triple} → {each.instead}"
    return [Span(f"{_MARKS[each.kind]} {text}", _TONES[each.kind])]


DOCUMENTS = {Explanations: explanation_document}
"""What notebooks show of results."""
