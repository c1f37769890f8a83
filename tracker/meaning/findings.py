"""What of the meaning outputs lose, in graphs beside each other, as a document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ...queries.meaning.explained import Explained, Explanations, Line, Side, Unmatched
from ...queries.numbers import measured, number
from ...schema.statements import Row
from ..show.charts.drawing import COLOURS, Specification, defined, draw, in_units, require_rows
from ..show.findings.sentences import HIDDEN, NO_OUTPUT
from ..show.model import Block, Card, Document, Pane, Panes, Paragraph, Section, Span, Tone, Words

LEGEND = "- missing in the output · + only in the output · ~ changed · graphs in PENMAN notation"
_MARKS: dict[str, str] = {"missing": "-", "extra": "+", "changed": "~"}
_TONES: dict[str, Tone] = {"missing": "missing", "extra": "extra", "changed": "changed"}


def explanation_document(result: Explanations) -> Document:
    """Return sentences with the gold graph and the outputs' graphs, and what they differ in."""
    missing = "" if result.explained else "There is no such output."
    reading = (
        "The output's graph is a parser's: an error of the parser looks like one of the system."
    )
    cards = [explained_card(item) for item in result.explained]
    section = Section("outputs", "Outputs", "", "" if missing else reading, cards, missing)
    return Document(
        "Meaning explained",
        " against ".join(result.submissions),
        [section],
        lead=_lead(result),
        legend=[LEGEND] if result.explained else [],
        provenance=[
            ("references", result.treebank_id),
            ("graphs of outputs by", result.parser),
            ("alignment", f"{result.mode}, top: {result.top}"),
            ("form by", result.model or "–"),
            ("signature", result.signature_id),
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


def _lead(result: Explanations) -> str:
    way = f"parser {result.parser} · top: {result.top}, {result.mode} alignment"
    if result.model:
        way += f" · form by {result.model}"
    several = len(result.submissions) > 1
    count = f"{len(result.explained):,} of {result.sentences:,}"
    if result.named:
        order = f"{count} sentences"
    elif several:
        order = f"{count} sentences: those where the F1 of meaning differs most"
    else:
        order = f"{count} outputs: those with the lowest F1 of meaning"
    if result.by == "form" and not result.named:
        order += ", among those that "
        order += "differ in acceptable form" if several else "are not acceptable in form"
    if result.without_graph:
        order += f" · {result.without_graph:,} without a graph"
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
    texts = [f"{name} {measured('smatch', value)}" for name, value in numbers]
    if side.accepted is not None:
        texts.append("form acceptable" if side.accepted else "form not acceptable")
    if side.quality is not None:
        texts.append(f"parse quality {number(side.quality, 2)}")
    if side.status not in ("optimal", "no graph"):
        texts.append(f"alignment not proved: {side.status}")
    return texts


def _graph_line(line: Line) -> Sequence[Span]:
    """Return a line of a graph behind its mark."""
    kind = line.kind or ""
    sign = Span(f"{_MARKS.get(kind, ' ')} ", _TONES.get(kind, ""))
    return [sign, *(Span(piece.text, _TONES.get(piece.kind or "", "")) for piece in line.pieces)]


def _triple(item: Unmatched) -> Sequence[Span]:
    text = item.triple if item.instead is None else f"{item.triple} → {item.instead}"
    return [Span(f"{_MARKS[item.kind]} {text}", _TONES[item.kind])]


DOCUMENTS = {Explanations: explanation_document}
"""What notebooks show of results."""


WEIGHTS = {0.0: "0 (Meaning)", 0.2: "0.5", 0.5: "1", 0.8: "2", 1.0: "∞ (Form)"}
"""Betas by the share of the weight that Form has with them, beta² / (1 + beta²)."""
STEPS = 50
"""Points of a line over beta."""


def mf_chart(systems: Any, title: str) -> Specification:
    """Return Meaning, Form and MF-score of each system, and its MF-score by beta.

    ``systems`` holds rows with ``system``, ``meaning`` and ``form``, 0 to 1; the one that stands
    ``apart``, the upper bound, is drawn as a line. Systems are in the order of MF-scores with beta
    1; rows without Meaning or Form are left out.

    Raises InputError where no system is left.
    """
    rows = in_units(defined(systems, "meaning", "form"))
    scored = [row for row in rows if not row["apart"]]
    require_rows(scored, "Meaning and Form of systems ('tracker meaning mf' computes them)")
    scored.sort(key=lambda row: -(_mf(row, 0.5) or 0))
    measures = {"Meaning": 0.0, "Form": 1.0, "MF": 0.5, "MF 0.5": 0.2}
    names = {str(share): beta for share, beta in WEIGHTS.items()}
    bounds = sorted({row["meaning"] for row in rows if row["apart"]})
    return draw(
        "mf",
        title,
        [
            "MF = (1 + β²) · Meaning · Form / (β² · Meaning + Form)",
            *(["dashed: upper bound of Meaning, the parses of the references"] if bounds else []),
        ],
        points=[
            {"system": row["system"], "measure": name, "score": _mf(row, share)}
            for row in scored
            for name, share in measures.items()
        ],
        curves=[
            {"system": row["system"], "share": step / STEPS, "score": _mf(row, step / STEPS)}
            for row in scored
            for step in range(STEPS + 1)
        ],
        bounds=[{"score": bound} for bound in bounds],
        measures=[*measures],
        colours=[COLOURS[name] for name in ("blue", "orange", "red", "grey")],
        systems=[row["system"] for row in scored],
        shares=[*WEIGHTS],
        betas=f"{json.dumps(names)}[format(datum.value, '.1f')]",
        height=max(120, 26 * len(scored)),
    )


def _mf(row: Row, share: float) -> float | None:
    """Return the MF-score where Form has this share of the weight; None where it is 0 / 0."""
    meaning, form = float(row["meaning"]), float(row["form"])
    weighted = share * meaning + (1 - share) * form
    return meaning * form / weighted if weighted else None
