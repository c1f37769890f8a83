"""The room that text takes in drawings, and cutting a sentence to it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

LEFT_OUT = "…"
WORD = 17.0
"""Size of the letters of words."""
_NARROW, _BROAD = frozenset("iljtfrI.,:;'’!|()[] -"), frozenset("mwMW@%—…")


def text_width(text: str, size: float = WORD) -> float:
    """Return about how wide a text is, in pixels, rather too wide: fonts differ."""
    return size * sum(map(_letter_width, text))


@lru_cache(maxsize=4096)
def _letter_width(letter: str) -> float:
    if has_no_width(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if letter in _NARROW:
        return 0.36
    return 0.94 if letter in _BROAD else 0.74 if letter.isupper() else 0.58


def has_no_width(letter: str) -> bool:
    """Return whether a letter is a mark on another one, or not seen at all."""
    return unicodedata.category(letter) in ("Mn", "Me", "Cf")


def excerpt(
    widths: Sequence[float], marked: tuple[int, int], room: float, *, gap: float, ellipsis: float
) -> list[int | None]:
    """Return which words to show, as indices in order, with None where some are left out.

    Both marked words are shown whatever their width, then their neighbours, the nearest first, as
    long as everything fits into ``room``; ``gap`` stands between two words, ``ellipsis`` is the
    width of the sign for words left out.
    """
    first, second = sorted(marked)
    shown = {first, second}
    ended: set[tuple[int, bool]] = set()
    others = [index for index in range(len(widths)) if index not in shown]
    others.sort(key=lambda index: (_distance(index, marked), not first < index < second, index))
    for index in others:
        nearest = min(first, second, key=lambda place: abs(place - index))
        side = nearest, index > nearest
        if side in ended:
            continue
        pieces = _pieces(shown | {index}, len(widths))
        used = sum(ellipsis if piece is None else widths[piece] for piece in pieces)
        if used + gap * (len(pieces) - 1) <= room:
            shown.add(index)
        else:
            ended.add(side)
    return _pieces(shown, len(widths))


def _distance(index: int, marked: tuple[int, int]) -> int:
    return min(abs(index - place) for place in marked)


def _pieces(shown: set[int], words: int) -> list[int | None]:
    pieces: list[int | None] = []
    for index in range(words):
        if index in shown:
            pieces.append(index)
        elif not pieces or pieces[-1] is not None:
            pieces.append(None)
    return pieces
