"""How well an analyser finds words and lemmas that are known."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import pyarrow as pa
from rapidfuzz.distance import LCSseq

from sr_tracker.ingest.analysers import Analyser


@dataclass(frozen=True)
class Accuracy:
    """Counts over a set of texts; the rates are derived."""

    gold_words: int
    found_words: int
    aligned_words: int  # on a longest common subsequence of the forms, sentence by sentence
    right_lemmas: int  # aligned words whose lemma equals the gold lemma
    gold_lemmas: int  # aligned words that have a gold lemma

    def __add__(self, other: Accuracy) -> Accuracy:
        """Return the counts of both sets of texts together."""
        return Accuracy(
            self.gold_words + other.gold_words,
            self.found_words + other.found_words,
            self.aligned_words + other.aligned_words,
            self.right_lemmas + other.right_lemmas,
            self.gold_lemmas + other.gold_lemmas,
        )

    @property
    def token_f1(self) -> float | None:
        """Harmonic mean of precision and recall of words, 0 to 1; None without any word."""
        words = self.gold_words + self.found_words
        return 2 * self.aligned_words / words if words else None

    @property
    def lemma_accuracy(self) -> float | None:
        """Share of aligned words with the right lemma, 0 to 1; None where nothing is aligned."""
        return self.right_lemmas / self.gold_lemmas if self.gold_lemmas else None


def measure_accuracy(
    analyser: Analyser, sentence_nos: pa.Array, texts: pa.Array, gold: pa.Table
) -> Accuracy:
    """Return how the analysis of the texts agrees with gold words.

    `gold` has the columns sentence_no, form and lemma (nullable), words in order. Forms are
    compared without regard to case, lemmas as they are.
    """
    gold_words = _words_by_sentence(gold)
    words_by_sentence = _words_by_sentence(analyser.analyse(sentence_nos, texts))
    total = Accuracy(0, 0, 0, 0, 0)
    for sentence_no in sentence_nos.to_pylist():
        total += _compare(gold_words[sentence_no], words_by_sentence[sentence_no])
    return total


Words = list[tuple[str, str | None]]


def _words_by_sentence(table: pa.Table) -> defaultdict[int, Words]:
    words: defaultdict[int, Words] = defaultdict(list)
    columns = [table.column(name).to_pylist() for name in ("sentence_no", "form", "lemma")]
    for sentence_no, form, lemma in zip(*columns, strict=True):
        words[sentence_no].append((form.lower(), lemma))
    return words


def _compare(gold: Words, computed: Words) -> Accuracy:
    blocks = LCSseq.opcodes([form for form, _ in gold], [form for form, _ in computed])
    pairs = [
        (gold[block.src_start + offset][1], computed[block.dest_start + offset][1])
        for block in blocks
        if block.tag == "equal"
        for offset in range(block.src_end - block.src_start)
    ]
    entries = [(expected, lemma) for expected, lemma in pairs if expected is not None]
    right = sum(expected == lemma for expected, lemma in entries)
    return Accuracy(len(gold), len(computed), len(pairs), right, len(entries))
