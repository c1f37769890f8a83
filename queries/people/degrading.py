"""Degraded copies of outputs: what a careful annotator rates lower than the original."""

from __future__ import annotations

import random
from collections.abc import Sequence

SPANS = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))
"""Up to how many words an output has, and how many of them are replaced; of more, a quarter."""
LONGEST_WORD = 20
"""Where pieces between blanks are longer on average, a script writes no blanks between words."""


class Degrader:
    """Makes degraded copies with words from the other outputs."""

    def __init__(self, texts: Sequence[tuple[int, str]], rng: random.Random) -> None:
        """Take the texts that words may come from, each with the number of its sentence."""
        pieces = [piece for _, text in texts for piece in text.split()]
        letters = sum(len(piece) for piece in pieces)
        self._blank = "" if letters > LONGEST_WORD * len(pieces) else " "
        self._rng = rng
        shuffled = list(texts)
        rng.shuffle(shuffled)
        self._pool = [(unit, number) for number, text in shuffled for unit in self._units(text)]

    def degraded(self, sentence_no: int, text: str) -> str | None:
        """Return a copy in which a span of words is replaced by a span from other sentences.

        The longer the text, the longer the span (see SPANS); no word of it stays where it was. The
        first and the last word stay, if the text is long enough. Where a script writes no blanks,
        words are single letters. Bojar et al. 2017, section 3; Mille et al. 2018, section 3.2.1.
        Returns None where the other sentences have no such span, and for a blank text.
        """
        units = self._units(text)
        if not units:
            return None
        length = span_length(len(units))
        inner = 1 if len(units) >= length + 2 else 0
        start = self._rng.randint(inner, len(units) - length - inner)
        replaced = units[start : start + length]
        first = self._rng.randrange(len(self._pool))
        for place in range(len(self._pool)):
            at = (first + place) % len(self._pool)
            donors = self._pool[at : at + length]
            if len(donors) == length and all(
                number != sentence_no and unit.casefold() != old.casefold()
                for (unit, number), old in zip(donors, replaced, strict=True)
            ):
                new = [unit for unit, _ in donors]
                return self._blank.join([*units[:start], *new, *units[start + length :]])
        return None

    def _units(self, text: str) -> list[str]:
        return text.split() if self._blank else list("".join(text.split()))


def span_length(words: int) -> int:
    """Return how many words of a text of so many words are replaced."""
    return next((span for bound, span in SPANS if words <= bound), words // 4)
