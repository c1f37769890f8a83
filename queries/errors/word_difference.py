"""Which words of two texts differ."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["same", "moved", "only"]

_LOOKAHEAD = 6
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17d3\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Letters of scripts that put no blanks between words: Thai, Lao, Tibetan, Burmese, Khmer, Kana,
Chinese."""


@dataclass(frozen=True)
class Piece:
    """A word of a text, with what stands before it and whether the other text has it."""

    before: str
    """Blanks between the word before and this one."""
    word: str
    kind: Kind
    """same: in both texts in the same order; moved: in both; only: in this text alone."""


def cut_words(text: str, words: Sequence[str]) -> list[tuple[str, str]]:
    """Return the words of a text, each with the blanks before it.

    ``words`` are the analysed words in order: they cut text without blanks, such as Japanese.
    What none of them fits (a contraction, say) is cut at blanks, its outer punctuation taken off,
    and where a script has no blanks into letters, each with the marks on it.
    """
    pieces: list[tuple[str, str]] = []
    position = 0
    following = 0
    while position < len(text):
        start = position
        while start < len(text) and text[start].isspace():
            start += 1
        if start == len(text):
            break
        ahead = range(following, min(following + _LOOKAHEAD, len(words)))
        found = next((n for n in ahead if words[n] and text.startswith(words[n], start)), None)
        if found is None:
            end = _end_of_stretch(text, start)
        else:
            end = start + len(words[found])
            following = found + 1
        pieces.append((text[position:start], text[start:end]))
        position = end
    return pieces


def _end_of_stretch(text: str, start: int) -> int:
    """Return where the word that starts here ends: at a blank, without punctuation at its end."""
    end = start + 1
    if _UNSPACED.match(text[start]):
        while end < len(text) and unicodedata.category(text[end]) in ("Mn", "Mc"):
            end += 1
        return end
    while end < len(text) and not text[end].isspace() and not _UNSPACED.match(text[end]):
        end += 1
    if _is_punctuation(text[start]):
        return start + 1
    while end - start > 1 and _is_punctuation(text[end - 1]):
        end -= 1
    return end


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith("P")


def word_difference(
    first: Sequence[tuple[str, str]], second: Sequence[tuple[str, str]]
) -> tuple[list[Piece], list[Piece]]:
    """Return the words of two texts with what became of each; case does not count.

    The words of a longest common subsequence are the same; of the others, those that the other
    text has as well (as often) are moved.
    """
    from rapidfuzz.distance import LCSseq

    first_words = [word.lower() for _, word in first]
    second_words = [word.lower() for _, word in second]
    same_first: set[int] = set()
    same_second: set[int] = set()
    for step in LCSseq.opcodes(first_words, second_words):
        if step.tag == "equal":
            same_first.update(range(step.src_start, step.src_end))
            same_second.update(range(step.dest_start, step.dest_end))
    rest_first = Counter(w for n, w in enumerate(first_words) if n not in same_first)
    rest_second = Counter(w for n, w in enumerate(second_words) if n not in same_second)
    return (
        _pieces(first, same_first, rest_second),
        _pieces(second, same_second, rest_first),
    )


def _pieces(cut: Sequence[tuple[str, str]], same: set[int], other: Counter[str]) -> list[Piece]:
    pieces = []
    left = Counter(other)
    for number, (before, word) in enumerate(cut):
        kind: Kind = "same"
        if number not in same:
            kind = "moved" if left[word.lower()] > 0 else "only"
            left[word.lower()] -= 1
        pieces.append(Piece(before, word, kind))
    return pieces
