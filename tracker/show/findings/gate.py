"""What a gate found as a document: all thresholds, or a summary of a screen with the reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from ....queries.change.comparison.model import Comparison
from ....queries.change.comparison.verdict import names
from ....queries.change.gate import FAILED, PASSED, GateResult, Verdict
from ....queries.change.thresholds import MIN
from ....queries.metrics.registry import label_of, notes
from ....queries.numbers import interval, measured, probability
from ....schema.brief import plural
from ..excerpt import LEFT_OUT
from ..model import (
    Block,
    Card,
    Cell,
    Column,
    Details,
    Document,
    Paragraph,
    Section,
    Span,
    Table,
    Tone,
    Words,
)
from ..tables import filled
from .changes import BETTER, WORSE, check_text
from .comparison import LEGEND, TONES, comparison_document

_TONES: dict[str, Tone] = {PASSED: "better", FAILED: "worse"}
_SIGNS: dict[Tone, str] = {"worse": WORSE, "better": BETTER}
_SHOWN, _REASONS = 8, 3
"""Thresholds and reasons of a summary that are seen at first."""
_ROOM, _BESIDE = 320, 30
"""Letters of a sentence in a summary, and beside a word that is marked."""


def gate_document(result: GateResult) -> Document:
    """Return the thresholds with what became of them, those that are broken first."""
    new, base = names(result.new, result.base)
    return Document(
        "Gate",
        f"{new} against {base} · {_rule(result)}",
        [Section("thresholds", "Thresholds", "", blocks=[_table(result)])],
        verdict=[_verdict(result), *map(check_text, result.checks)],
        objections=result.objections,
        notes=[*result.notes, *notes(item.change.measure for item in result.verdicts)],
        provenance=[("new", result.new.submission_id), ("base", result.base.submission_id)],
    )


def gate_summary(
    result: GateResult,
    comparison: Comparison | None,
    *,
    command: str = "",
    signatures: Mapping[str, str] | None = None,
) -> Document:
    """Return the verdict and its reasons in about a screen, all else folded.

    ``comparison`` is of the same two, None where they are one submission; ``command`` does it
    again; ``signatures`` are those of new's scores, by metric.
    """
    new, base = names(result.new, result.base)
    sign = "✅" if result.passed else "❌"
    reasons = [f"{_reason(verdict)}." for verdict in sorted(result.failed, key=_place)[:_REASONS]]
    again = _again(result, command, signatures or {})
    compared = [] if comparison is None else _compared(comparison, without_verdict=result.passed)
    return Document(
        "Gate",
        f"{sign} {_verdict(result)[:-1]}: {new} against {base}",
        [
            Section("thresholds", "Thresholds", "", blocks=[_table(result, short=True)]),
            *compared,
            Section("again", "Again", "", blocks=[again]),
        ],
        lead=f"{result.new.treebank_id} · {_rule(result)}",
        verdict=[
            *(reasons or (comparison.verdict if comparison else ())),
            *map(check_text, result.checks),
        ],
        objections=result.objections,
        notes=result.notes,
    )


def _verdict(result: GateResult) -> str:
    failed = plural(len(result.failed), "threshold")
    return f"The gate fails by {failed}." if result.failed else "The gate passes."


def _rule(result: GateResult) -> str:
    if result.non_inferior:
        return "it passes where the interval of a drop is within the limit"
    if result.significant:
        return (
            f"a drop counts where p < {result.alpha:g} (Holm) and its interval is beyond the limit"
        )
    return "any drop"


def _reason(verdict: Verdict) -> str:
    """Return why a threshold is broken, in a sentence."""
    change, limit = verdict.change, f"{verdict.threshold.limit:g} {verdict.unit}"
    label = label_of(change.measure)
    value = change.new if verdict.threshold.kind == MIN else change.difference
    if value is None:
        return f"{label}: {verdict.reason}"
    if verdict.threshold.kind == MIN:
        return f"{label} is {measured(change.measure, value)}, its floor {limit}"
    amount = f"{measured(change.measure, abs(value))} {verdict.unit}"
    way = "worse" if change.is_worse else "better"
    chance = "" if change.p_holm is None else f" (p {probability(change.p_holm)})"
    reason = f": {verdict.reason}" if verdict.reason else ""
    return f"{label} is {way} by {amount}{chance}, its limit {limit}{reason}"


def _table(result: GateResult, *, short: bool = False) -> Table:
    """Return the thresholds; a summary has the intervals and, ``short``, the first of them."""
    columns = [
        Column("threshold", "text"),
        Column("base"),
        Column("new"),
        Column("change"),
        *([Column("interval", "interval")] if short else []),
        Column("limit"),
        Column("unit", "whole"),
        Column("verdict", "text"),
        Column("p", "probability"),
        Column("n"),
    ]
    verdicts = sorted(result.verdicts, key=_place)
    rows = [_cells(verdict, with_interval=short) for verdict in verdicts]
    shown = max(_SHOWN, len(result.failed)) if short else None
    return filled("Thresholds", columns, rows, shown=shown, rest="thresholds")


def _place(verdict: Verdict) -> tuple[bool, bool]:
    """Return where a threshold stands: those that are broken first, then those of whole metrics."""
    return verdict.verdict != FAILED, "[" in verdict.change.measure


def _cells(verdict: Verdict, *, with_interval: bool) -> list[Cell | float | str | None]:
    change, limit = verdict.change, verdict.threshold.limit
    text = f"{verdict.verdict}: {verdict.reason}" if verdict.reason else verdict.verdict
    difference = measured(change.measure, change.difference, sign=True)
    its_interval = Cell(interval(change.measure, change.low, change.high, sign=True))
    return [
        f"{verdict.threshold.kind} {label_of(change.measure)}",
        Cell(measured(change.measure, change.base), change.base),
        Cell(measured(change.measure, change.new), change.new),
        Cell(difference, change.difference),
        *([its_interval] if with_interval else []),
        Cell(f"{limit:g}", limit),
        verdict.unit,
        Cell(text, tone=_TONES.get(verdict.verdict, "doubt")),
        change.p_holm,
        change.n,
    ]


def _compared(comparison: Comparison, *, without_verdict: bool) -> list[Section]:
    """Return what changed: the sentences that changed most, and what else there is, folded.

    ``told`` is whether the verdict of the comparison was told before.
    """
    most = "gained" if comparison.outcome == "better" else "lost"
    seen, folded = list[Section](), list[Block]()
    for section in comparison_document(comparison, trees=False).sections:
        cards = [_short(block) if isinstance(block, Card) else block for block in section.blocks]
        if section.anchor == most:
            seen.append(replace(section, blocks=cards))
            continue
        reading = [Paragraph(section.reading)] if section.reading else []
        folded.append(Details(_summary(section), [*reading, *cards]))
    marks = [Paragraph([Span(meaning, tone)]) for tone, meaning in TONES]
    folded.append(Details("What the marks mean", [Paragraph(LEGEND), *marks]))
    verdict = "" if without_verdict else " ".join(comparison.verdict)
    return [*seen, Section("changes", "Changes", "What changed", verdict, folded)]


def _summary(section: Section) -> str:
    """Return the title of a section, and how many rows are better or worse by more than chance."""
    tables = [block for block in section.blocks if isinstance(block, Table)]
    tones = Counter(line.tone for table in tables for line in table.lines)
    counts = [f"{tones[tone]} {sign}" for tone, sign in _SIGNS.items() if tones[tone]]
    return " · ".join([section.title or section.name, *counts])


def _short(card: Card) -> Card:
    return replace(card, facts=[(name, _excerpt(words)) for name, words in card.facts])


def _excerpt(words: Words) -> Words:
    """Return a text of which long stretches without marks are left out, and its end."""
    spans = [Span(words)] if isinstance(words, str) else words
    if sum(len(span.text) for span in spans) <= _ROOM:
        return words
    shown, room = list[Span](), _ROOM
    for place, span in enumerate(spans):
        text = span.text
        if not span.tone and len(text) > 2 * _BESIDE + len(LEFT_OUT):
            before = text[:_BESIDE] if place else ""
            after = text[-_BESIDE:] if place < len(spans) - 1 else ""
            text = f"{before}{LEFT_OUT}{after}"
        if len(text) > room:
            return [*shown, Span(text[:room] + LEFT_OUT, span.tone)]
        shown, room = [*shown, replace(span, text=text)], room - len(text)
    return shown


def _again(result: GateResult, command: str, signatures: Mapping[str, str]) -> Details:
    """Return how it is done again, and what its numbers may be compared with."""
    metrics = dict.fromkeys(verdict.change.measure.partition("[")[0] for verdict in result.verdicts)
    rows = [(label_of(metric), signatures[metric]) for metric in metrics if signatures.get(metric)]
    columns = [Column("metric", "text"), Column("signature", "text")]
    sides = f"{result.new.submission_id} against {result.base.submission_id}"
    return Details(
        "How to do it again, and with what it is comparable",
        [
            *([Paragraph(command, "code")] if command else []),
            Paragraph(sides),
            *([filled("Signatures", columns, rows)] if rows else []),
        ],
    )
