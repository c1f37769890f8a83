"""Errors that annotators marked: an output in pieces, what each error is, and tables of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...queries.numbers import number
from ...schema.statements import Row
from ..show.model import Block, Column, Document, Section, Span, Table, Tone, Words
from ..show.tables import table

GRAVE = ("major", "critical")


def marked_words(text: str | None, errors: Sequence[Mapping[str, Any]]) -> Words:
    """Return a text with its errors marked: major and critical ones as worse, others as doubt.

    Where errors overlap the gravest counts. Errors without a place, or in the source, mark nothing.
    """
    if text is None:
        return [Span("no output", "muted")]
    placed = [
        (error["start_character"], error["end_character"], error["severity"] in GRAVE)
        for error in errors
        if error["start_character"] is not None and not error["on_source"]
    ]
    opened: dict[int, list[int]] = {0: [0, 0], len(text): [0, 0]}
    for first, last, grave in placed:
        opened.setdefault(min(first, len(text)), [0, 0])[grave] += 1
        opened.setdefault(min(last, len(text)), [0, 0])[grave] -= 1
    pieces: list[Span] = []
    over = [0, 0]
    for start, end in pairwise(sorted(opened)):
        over = [before + change for before, change in zip(over, opened[start], strict=True)]
        tone: Tone = "worse" if over[True] else "doubt" if over[False] else ""
        if pieces and pieces[-1].tone == tone:
            pieces[-1] = Span(pieces[-1].text + text[start:end], tone)
        else:
            pieces.append(Span(text[start:end], tone))
    return pieces


def errors_text(text: str | None, errors: Sequence[Mapping[str, Any]]) -> str:
    """Return the errors of an output in words: severity, category, the text, what it costs."""
    return "; ".join(_error_text(text or "", error) for error in errors)


def _error_text(text: str, error: Mapping[str, Any]) -> str:
    start, end = error["start_character"], error["end_character"]
    place = "something missing" if start is None else f"“{text[start:end]}”"
    if error["on_source"]:
        place = "in the source"
    cost = "" if error["weight"] is None else f" ({number(error['weight'], 1)})"
    return " ".join(filter(None, [error["severity"], error["category"], place])) + cost


_NAME = {"name": Column("name", "text")}
_CRITERION = {"criterion": Column("criterion", "text")}
_WHO = {
    **_NAME,
    **_CRITERION,
    "outputs": Column("outputs", meaning="judged outputs"),
    "errors": Column("errors", meaning="marked errors, as often as outputs were judged"),
    **{name: Column(name) for name in ("critical", "major", "minor", "other")},
    "per_100_words": Column("per 100 words", meaning="errors per 100 words", digits=2),
    "grave_per_100_words": Column("grave", meaning="major and critical per 100 words", digits=2),
    "weight": Column("cost", meaning="what the errors cost together", digits=1),
    "weight_per_judgement": Column("by judgement", meaning="cost of a judged output", digits=2),
}
_KINDS = {
    **_NAME,
    **_CRITERION,
    "errors": Column("errors"),
    "share": Column("share", meaning="share of all errors", bar=True),
    "grave": Column("grave", meaning="major and critical ones"),
    "outputs": Column("outputs", meaning="outputs with such an error"),
    "per_100_words": Column("per 100 words", digits=2),
    "weight": Column("cost", digits=1),
    "weight_share": Column("share of cost", bar=True),
}
_TESTED = {
    "rate_elsewhere": Column("elsewhere", bar=True),
    "difference": Column("difference"),
    "low": Column("low", meaning="lower end of its interval, 95 %"),
    "high": Column("high", meaning="upper end"),
    "p_value": Column("p", "probability"),
}
_COLUMNS: Mapping[str, Mapping[str, Column]] = {
    "system": _WHO,
    "submission": _WHO,
    "campaign": _WHO,
    "severity": _KINDS,
    "category": _KINDS,
    "relation": {
        **_CRITERION,
        "tree": Column("tree", "text", "whose relations"),
        "deprel": Column("relation", "text"),
        "units": Column("n", meaning="words with it, or outputs whose reference has it"),
        "marked": Column("marked"),
        "expected": Column("expected", meaning="by the share of all", digits=1),
        "rate": Column("rate", bar=True),
        "low": Column("low", meaning="lower end of Wilson's interval, 95 %"),
        "high": Column("high", meaning="upper end"),
        "rate_elsewhere": Column("elsewhere", bar=True),
        "p_holm": Column("p", "probability", "Fisher's exact test, one-sided, after Holm"),
    },
    "pattern": {
        "measure": Column("failed by", "text", "sentences with such an error failed"),
        "labels": Column("labels", "text"),
        "pattern": Column("pattern", "pattern"),
        "submissions": Column("submissions", meaning="in which it was mined"),
        "suspicious_in": Column("suspicious in"),
        "coverage": Column("coverage", bar=True),
        "suspicion_mean": Column("suspicion"),
        "sentences": Column("sentences", meaning="over all submissions"),
        "failed": Column("failed"),
        "failure_rate": Column("rate", bar=True),
    },
    "accuracy": {
        **_CRITERION,
        "system_id": Column("system", "text"),
        "sentences": Column("sentences"),
        "units": Column("edges near", meaning="reference edges near a marked word"),
        "rate": Column("DEA near", meaning="share of them found", bar=True),
        **_TESTED,
    },
    "metric": {
        **_CRITERION,
        "metric": Column("metric", "text"),
        "about": Column("about", "text"),
        "value": Column("of", "text"),
        "sentences": Column("sentences"),
        "units": Column("pairs"),
        "rate": Column("missed", bar=True, meaning="the better score, or the same, to the worse"),
        **_TESTED,
    },
}
TITLES = {
    "system": "Errors by system",
    "submission": "Errors by submission",
    "campaign": "Errors by campaign",
    "severity": "Errors by severity",
    "category": "Errors by category",
    "relation": "Relations that errors fall on",
    "accuracy": "Edges near errors and elsewhere",
    "pattern": "What outputs with errors have in common",
    "metric": "Errors that metrics miss",
}
_MINE = "Mine for it: tracker analyse --only mining --metric 'mqm_errors[major]'."
_MISSING = {
    "relation": "Neither outputs nor references have trees: tracker ingest parse.",
    "accuracy": "No edge accuracy of parsed references is known: tracker ingest parse, tracker "
    "score.",
    "pattern": _MINE,
    "metric": "No metric has scores of outputs with errors and of others without.",
}
_SHOWN = 20


def errors_table(by: str, rows: Sequence[Row], shown: int | None = None) -> Table:
    """Return rows of ``queries.examination.marked_errors`` by one of its ways as a table.

    A criterion that is the same in all rows is left to the caption.
    """
    columns = dict(_COLUMNS[by])
    title = TITLES[by]
    criteria = {row["criterion"] for row in rows if "criterion" in row}
    if len(criteria) == 1:
        columns.pop("criterion")
        title += f" ({criteria.pop()})"
    return table(title, columns, rows, shown=None if _COLUMNS[by] is _WHO else shown)


def errors_document(tables: Mapping[str, Sequence[Row]]) -> Document:
    """Return what is known of marked errors, a section for each way to look at them."""
    sections = [
        Section(
            by,
            TITLES[by],
            TITLES[by],
            blocks=_looked_at(by, rows),
            missing="" if rows else _MISSING.get(by, "Nothing is marked."),
        )
        for by, rows in tables.items()
    ]
    return Document("Errors", "Marked errors", sections)


def _looked_at(by: str, rows: Sequence[Row]) -> list[Block]:
    """Return the rows as a table; of metrics first what they miss of all errors."""
    if by != "metric" or not rows:
        return [errors_table(by, rows, _SHOWN)] if rows else []
    every = [row for row in rows if row["about"] == "all"]
    apart = [row for row in rows if row["about"] != "all" and row["p_value"] is not None]
    apart.sort(key=lambda row: row["p_value"])
    every.sort(key=lambda row: (row["criterion"], row["rate"]))
    return [errors_table(by, every), *([errors_table(by, apart, _SHOWN)] if apart else [])]
