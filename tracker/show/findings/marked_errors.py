"""Errors that annotators marked in an output: the output in pieces, and what each error is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from sr_tracker.tracker.show.model import Span, Tone, Words
from sr_tracker.tracker.show.numbers import number

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
    ends = sorted({0, len(text), *(min(at, len(text)) for place in placed for at in place[:2])})
    pieces: list[Span] = []
    for start, end in pairwise(ends):
        over = [grave for first, last, grave in placed if first < end and last > start]
        tone: Tone = "" if not over else "worse" if any(over) else "doubt"
        if pieces and pieces[-1].tone == tone:
            pieces[-1] = Span(pieces[-1].text + text[start:end], tone)
        else:
            pieces.append(Span(text[start:end], tone))
    return pieces


def told_errors(text: str | None, errors: Sequence[Mapping[str, Any]]) -> str:
    """Return the errors of an output in words: severity, category, the text, what it costs."""
    return "; ".join(_told(text or "", error) for error in errors)


def _told(text: str, error: Mapping[str, Any]) -> str:
    start, end = error["start_character"], error["end_character"]
    place = "something missing" if start is None else f"“{text[start:end]}”"
    if error["on_source"]:
        place = "in the source"
    cost = "" if error["weight"] is None else f" ({number(error['weight'], 1)})"
    return " ".join(filter(None, [error["severity"], error["category"], place])) + cost
