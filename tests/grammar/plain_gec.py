"""Algorithm 1 of Pratapa et al. 2021 by the letter: plain, slow, one token after the other.

A sentence has a head for each token (from 1, 0 for the root), the tokens whose link to their head
breaks a rule, and the tokens in error.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sentence:
    heads: list[int]
    broken: set[int]
    gold: set[int]


def counts(document: list[Sentence]) -> tuple[int, float, int]:
    """Return tp, fp and fn."""
    tp, fp, fn = 0, 0.0, 0
    for sentence in document:
        for token, head in enumerate(sentence.heads, start=1):
            dependents = [d for d, h in enumerate(sentence.heads, start=1) if h == token]
            wrong = {d for d in dependents if d in sentence.broken}
            if head and token in sentence.broken:
                wrong.add(head)
            if wrong:
                if token in sentence.gold:
                    tp += 1
                else:
                    for other in wrong:
                        if other not in sentence.gold:
                            fp += 0.5
            if token in sentence.gold and not wrong:
                fn += 1
    return tp, fp, fn
