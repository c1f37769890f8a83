"""Training n-gram models: interpolated Kneser-Ney smoothing (Chen & Goodman 1999)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ....schema.errors import InputError
from ...functions.statistics import Booleans, Floats, Integers
from . import DEFAULT_ORDER
from .ngram_model import (
    DECIMALS,
    END,
    START,
    UNKNOWN,
    Grams,
    NgramModel,
    words_of,
)

LONGEST = 6
USUAL_DISCOUNT = 0.5
"""Where so few n-grams occur once or twice that no discount can be estimated."""
NEVER = -99.0
"""Logarithm for what is never predicted, by the convention of ARPA files."""


@dataclass(frozen=True)
class _Counted:
    """The different n-grams of one length in the training text."""

    keys: Integers
    contexts: Integers
    """Number of each n-gram without its last word among those one shorter."""
    suffixes: Integers
    """Number of each n-gram without its first word among those one shorter."""
    at_start: Booleans
    """Whether the n-gram stands at the beginning of a sentence."""
    counts: Integers


def train_ngram_model(
    texts: Iterable[str],
    title: str,
    *,
    order: int = DEFAULT_ORDER,
    trained_on: str | None = None,
) -> NgramModel:
    """Return a model of the words of texts, each a sentence, and of their ends.

    Shorter n-grams count the different words before them; those at the beginning of a sentence,
    where none can stand, count their occurrences. Each length has one discount, n1 / (n1 + 2 n2) of
    the n-grams that count 1 and 2. Single words are interpolated with the uniform distribution,
    which gives unknown words their probability.

    Raises InputError where the texts have no word, and for lengths below 1 or above LONGEST.
    """
    if not 1 <= order <= LONGEST:
        raise InputError(
            f"{order} is no length of n-grams", hint=f"whole numbers from 1 to {LONGEST}"
        )
    sentences = [[START, *words, END] for words in map(words_of, texts) if words]
    if not sentences:
        raise InputError("there is no text to train a model on", hint="train on another treebank")
    known = sorted({word for sentence in sentences for word in sentence[1:-1]})
    vocabulary = [UNKNOWN, START, END, *known]
    numbers = {word: number for number, word in enumerate(vocabulary)}
    codes = np.array([numbers[word] for sentence in sentences for word in sentence])
    counted = _counted(codes, len(vocabulary), order)
    return NgramModel(title, vocabulary, _smoothed(counted), trained_on)


def _counted(codes: Integers, vocabulary: int, order: int) -> list[_Counted]:
    """Count the n-grams of all lengths; the single words are the whole vocabulary."""
    start = 1
    occurrences = np.bincount(codes, minlength=vocabulary)
    occurrences[start] = 0
    words = np.arange(vocabulary)
    none = np.zeros(vocabulary, dtype=np.int64)
    counted = [_Counted(words, none, none, words == start, occurrences)]
    numbers = codes
    for _ in range(1, order):
        inside = codes[1:] != start
        contexts = np.where(inside, numbers[:-1], -1)
        ends = np.flatnonzero(contexts >= 0) + 1
        keys, first, inverse, counts = np.unique(
            contexts[ends - 1] * vocabulary + codes[ends],
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        parents = keys // vocabulary
        counted.append(
            _Counted(keys, parents, numbers[ends[first]], counted[-1].at_start[parents], counts)
        )
        numbers = np.full(len(codes), -1)
        numbers[ends] = inverse
    return counted


def _smoothed(counted: list[_Counted]) -> list[Grams]:
    """Return the n-grams with interpolated probabilities, and the weights of their contexts."""
    probabilities: Floats = np.full(len(counted[0].keys), 1.0 / (len(counted[0].keys) - 1))
    logs: list[Floats] = []
    weights: list[Floats] = []
    for place, grams in enumerate(counted):
        adjusted = _adjusted(grams, counted[place + 1] if place + 1 < len(counted) else None)
        discount = _discount(adjusted)
        contexts = len(counted[place - 1].keys) if place else 1
        totals = np.bincount(grams.contexts, weights=adjusted, minlength=contexts)
        types = np.bincount(grams.contexts, weights=adjusted > 0, minlength=contexts)
        left = np.divide(discount * types, totals, out=np.ones(contexts), where=totals > 0)
        if place:
            probabilities = probabilities[grams.suffixes]
            weights.append(_rounded(np.log10(left)))
        probabilities = (
            np.maximum(adjusted - discount, 0.0) / totals[grams.contexts]
            + left[grams.contexts] * probabilities
        )
        logs.append(_rounded(np.log10(probabilities)))
    logs[0][counted[0].at_start] = NEVER
    weights.append(np.zeros(len(counted[-1].keys)))
    return [
        Grams(grams.keys, log, weight)
        for grams, log, weight in zip(counted, logs, weights, strict=True)
    ]


def _adjusted(grams: _Counted, longer: _Counted | None) -> Integers:
    """Return the number of different words before each n-gram; occurrences where none can stand."""
    if longer is None:
        return grams.counts
    before = np.bincount(longer.suffixes, minlength=len(grams.keys))
    return np.where(grams.at_start, grams.counts, before)


def _discount(adjusted: Integers) -> float:
    once, twice = int((adjusted == 1).sum()), int((adjusted == 2).sum())
    return once / (once + 2 * twice) if once and twice else USUAL_DISCOUNT


def _rounded(values: Floats) -> Floats:
    rounded: Floats = np.round(values, DECIMALS) + 0.0  # no negative zero
    return rounded
