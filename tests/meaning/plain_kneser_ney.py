"""Interpolated Kneser-Ney smoothing written down plainly: what the vectorised one must give."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Gram = tuple[str, ...]
START, END, UNKNOWN = "<s>", "</s>", "<unk>"


class PlainKneserNey:
    """Counts in dictionaries, probabilities as fractions by recursion."""

    def __init__(self, sentences: Sequence[Sequence[str]], order: int) -> None:
        padded = [(START, *words, END) for words in sentences]
        self.words = [*sorted({word for words in padded for word in words} - {START}), UNKNOWN]
        occurrences: list[dict[Gram, int]] = [{} for _ in range(order)]
        for words in padded:
            for end in range(1, len(words) + 1):
                for length in range(1, min(order, end) + 1):
                    gram = words[end - length : end]
                    occurrences[length - 1][gram] = occurrences[length - 1].get(gram, 0) + 1
        self.counts: list[dict[Gram, int]] = []
        for length, grams in enumerate(occurrences, start=1):
            counts = {}
            for gram, times in grams.items():
                if length < order and gram[0] != START:
                    times = len({longer for longer in occurrences[length] if longer[1:] == gram})
                counts[gram] = times
            counts.pop((START,), None)
            self.counts.append(counts)
        self.discounts = [self._discount(list(counts.values())) for counts in self.counts]

    def _discount(self, counts: list[int]) -> Fraction:
        once, twice = counts.count(1), counts.count(2)
        return Fraction(once, once + 2 * twice) if once and twice else Fraction(1, 2)

    def probability(self, context: Gram, word: str) -> Fraction:
        """Return P(word | context), the context at most as long as the model's."""
        counts, discount = self.counts[len(context)], self.discounts[len(context)]
        after = {gram: count for gram, count in counts.items() if gram[:-1] == context}
        shorter = self.probability(context[1:], word) if context else Fraction(1, len(self.words))
        if not after:
            return shorter
        total = sum(after.values())
        rest = max(after.get((*context, word), 0) - discount, Fraction(0))
        return rest / total + discount * len(after) / total * shorter
