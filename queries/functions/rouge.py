"""ROUGE (Lin 2004): n-grams and longest common subsequences, counted as rouge-score does."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...schema.short_cuts import compiled
from .ngrams import NO_WEIGHTS, clipped_matches, list_column, ngram_totals
from .several_references import of_one_or_all, pairs_of
from .statistics import Integers
from .text import Column, Rows
from .words import check_same_length, encode_words, one_array

_WORD = re.compile("[a-z0-9]+")
TYPES = 4
"""ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum."""


class _Words(NamedTuple):
    """A column of texts as words between blanks, and how many words the lines of each have."""

    texts: pa.Array
    lengths: Integers
    """Words by line, of all texts end to end."""
    starts: Integers
    """Where the lines of each text start in ``lengths``, and at last where they end."""


def rouge_statistics(output: Column, reference: Column) -> Rows:
    """Return the counts that ROUGE rests on for each output; NULL if either text is NULL.

    A row is list<int64> of 12 numbers, three for each of ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum:
    what output and reference share, what the output has, what the reference has. Words are
    stretches of the letters a to z and digits of the lower-cased text, as in rouge-score without
    its stemmer: other letters part words. ROUGE-1 and 2 count n-grams, clipped; ROUGE-L the longest
    common subsequence; ROUGE-Lsum the union of those of each line of the reference with all lines
    of the output, a word of the output at most as often as it is there (Lin 2004, sections 2 to 3).

    Raises InputError if the columns differ in length.
    """
    check_same_length(output, reference)
    outputs, references = _cut(output), _cut(reference)
    output_words, reference_words = encode_words(outputs.texts, references.texts)
    pair = (
        *(output_words.codes, output_words.starts),
        *(reference_words.codes, reference_words.starts),
    )
    counts = np.empty((len(output), TYPES, 3), np.int64)
    counts[:, :2, 0], _ = clipped_matches(*pair, 2, NO_WEIGHTS)
    counts[:, :2, 1] = ngram_totals(output_words.lengths, 2)
    counts[:, :2, 2] = ngram_totals(reference_words.lengths, 2)
    counts[:, 2:, 1] = output_words.lengths[:, None]
    counts[:, 2:, 2] = reference_words.lengths[:, None]
    counts[:, 2, 0] = _common_subsequences(*pair)
    counts[:, 3, 0] = counts[:, 2, 0]
    in_lines = np.flatnonzero((np.diff(outputs.starts) > 1) | (np.diff(references.starts) > 1))
    if len(in_lines):
        counts[in_lines, 3, 0] = _line_matches(in_lines, *pair, *outputs[1:], *references[1:])
    valid = pa.array(output_words.valid & reference_words.valid)
    return list_column(counts.reshape(len(counts), 3 * TYPES), pa.int64(), valid)


def rouge_statistics_of_several(output: Column, references: Column) -> Rows:
    """Return ``rouge_statistics``, each type's with the reference that gives its best F-score.

    NULL without an output or a reference. Raises InputError if the columns differ in length.
    """
    pairs = pairs_of(output, references)
    of_pairs = rouge_statistics(pairs.outputs, pairs.references)
    counts = np.asarray(of_pairs.flatten(), np.int64).reshape(len(of_pairs), TYPES, 3)
    best = np.zeros((len(output), TYPES, 3), np.int64)
    shares = counts[:, :, 0] / np.maximum(counts[:, :, 1] + counts[:, :, 2], 1)
    for place in range(TYPES):
        order = np.lexsort((np.arange(len(counts)), -shares[:, place], pairs.rows))
        best[pairs.rows[pairs.first], place] = counts[order[pairs.first], place]
    return list_column(best.reshape(len(best), 3 * TYPES), pa.int64(), pa.array(pairs.valid))


rouge = of_one_or_all(rouge_statistics, rouge_statistics_of_several)


def _cut(column: Column) -> _Words:
    texts: list[str | None] = []
    lengths: list[int] = []
    starts = [0]
    for text in one_array(column).to_pylist():
        lines = [_WORD.findall(line) for line in (text or "").lower().split("\n")]
        texts.append(None if text is None else " ".join(word for line in lines for word in line))
        lengths += map(len, lines)
        starts.append(len(lengths))
    return _Words(pa.array(texts, pa.string()), np.array(lengths, np.int64), np.array(starts))


@compiled()
def _common_subsequences(
    output: Integers, output_starts: Integers, reference: Integers, reference_starts: Integers
) -> Integers:
    """Return the length of the longest common subsequence of each row's words."""
    lengths = np.zeros(len(output_starts) - 1, dtype=np.int64)
    for row in range(len(lengths)):
        words = output[output_starts[row] : output_starts[row + 1]]
        goal = reference[reference_starts[row] : reference_starts[row + 1]]
        above = np.zeros(len(words) + 1, dtype=np.int64)
        for code in goal:
            diagonal = 0
            for place in range(len(words)):
                before = above[place + 1]
                if words[place] == code:
                    above[place + 1] = diagonal + 1
                elif above[place] > before:
                    above[place + 1] = above[place]
                diagonal = before
        lengths[row] = above[len(words)]
    return lengths


@compiled()
def _line_matches(
    rows: Integers,
    output: Integers,
    output_starts: Integers,
    reference: Integers,
    reference_starts: Integers,
    output_lines: Integers,
    output_line_starts: Integers,
    reference_lines: Integers,
    reference_line_starts: Integers,
) -> Integers:
    """Return, for some rows, how many of the reference's words its lines share with the output."""
    shared = np.zeros(len(rows), dtype=np.int64)
    for number, row in enumerate(rows):
        words = output[output_starts[row] : output_starts[row + 1]]
        goal = reference[reference_starts[row] : reference_starts[row + 1]]
        left = np.zeros(len(goal) + 1, dtype=np.int64)  # by code: occurrences that are free
        for code in words:
            if code >= 0:
                left[code] += 1
        start = 0
        for line in range(reference_line_starts[row], reference_line_starts[row + 1]):
            wanted = goal[start : start + reference_lines[line]]
            start += len(wanted)
            common = np.zeros(len(wanted), dtype=np.bool_)
            first = 0
            for other in range(output_line_starts[row], output_line_starts[row + 1]):
                _mark_common(wanted, words[first : first + output_lines[other]], common)
                first += output_lines[other]
            for place in range(len(wanted)):
                if common[place] and left[wanted[place]] > 0:
                    left[wanted[place]] -= 1
                    shared[number] += 1
    return shared


@compiled()
def _mark_common(wanted: Integers, words: Integers, common: npt.NDArray[np.bool_]) -> None:
    """Mark the words of one longest common subsequence: of several the one rouge-score finds."""
    table = np.zeros((len(wanted) + 1, len(words) + 1), dtype=np.int64)
    for i in range(len(wanted)):
        for j in range(len(words)):
            if wanted[i] == words[j]:
                table[i + 1, j + 1] = table[i, j] + 1
            else:
                table[i + 1, j + 1] = max(table[i, j + 1], table[i + 1, j])
    i, j = len(wanted), len(words)
    while i > 0 and j > 0:
        if wanted[i - 1] == words[j - 1]:
            common[i - 1] = True
            i -= 1
            j -= 1
        elif table[i, j - 1] > table[i - 1, j]:
            j -= 1
        else:
            i -= 1
