"""Which words of two tokenisations of the same text are the same words (CoNLL 2018)."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from sr_tracker.ingest.treebanks.conllu import ConlluFile, SpecialLine
from sr_tracker.schema.errors import InputError

Span = tuple[int, int]


@dataclass(frozen=True)
class _Tokens:
    """The words of a sentence: forms in lower case, spans in its text without blanks."""

    forms: list[str]
    spans: list[Span]
    multiword: list[Span]
    text: str


def align_words(gold: ConlluFile, system: ConlluFile) -> np.ndarray:
    """Return, for each gold word, the place of the system's same word in its file, or -1.

    Words are the same that cover the same characters, blanks aside. Where multiword tokens of
    either side are, the words of the overlapping tokens are aligned by their longest common
    subsequence of forms, without regard to case.

    Raises InputError where the files have not the same sentences.
    """
    if len(gold.lengths) != len(system.lengths):
        raise InputError(
            f"{len(system.lengths)} sentences are not the {len(gold.lengths)} of the gold file",
            where=system.source,
        )
    sides = [_sentences(file) for file in (gold, system)]
    aligned = np.full(int(gold.lengths.sum()), -1, dtype=np.int64)
    starts = [np.cumsum(file.lengths) - file.lengths for file in (gold, system)]
    for number, (left, right) in enumerate(zip(*sides, strict=True)):
        if left.text != right.text:
            raise InputError(
                "the parser's words do not make up the text of the sentence",
                where=f"{gold.source}:{gold.lines[number]}",
                hint="the characters must be those of the gold forms; only blanks may differ",
            )
        for first, second in _pairs(left, right):
            aligned[starts[0][number] + first] = starts[1][number] + second
    return aligned


def _sentences(file: ConlluFile) -> list[_Tokens]:
    forms = file.words["form"].to_pylist()
    ranges: dict[int, list[SpecialLine]] = defaultdict(list)
    for span in file.ranges:
        ranges[span.sentence].append(span)
    sentences, start = [], 0
    for number, length in enumerate(file.lengths.tolist(), start=1):
        sentences.append(_tokens(forms[start : start + length], ranges[number]))
        start += length
    return sentences


def _tokens(forms: list[str], ranges: list[SpecialLine]) -> _Tokens:
    surfaces = list(forms)
    last_of = {}
    for item in ranges:
        surfaces[item.first - 1] = item.columns["form"]
        last_of[item.first - 1] = item.second
    spans: list[Span] = []
    multiword, text, word = [], "", 0
    while word < len(forms):
        after = last_of.get(word, word + 1)
        start, text = len(text), text + "".join(surfaces[word].split())
        spans += [(start, len(text))] * (after - word)
        if word in last_of:
            multiword.append((start, len(text)))
        word = after
    return _Tokens([form.lower() for form in forms], spans, multiword, text)


def _pairs(gold: _Tokens, system: _Tokens) -> list[tuple[int, int]]:
    regions = _merged(gold.multiword + system.multiword)
    left, right = (_by_region(tokens, regions) for tokens in (gold, system))
    same = {system.spans[word]: word for word in right[-1]}
    pairs = [(word, same[gold.spans[word]]) for word in left[-1] if gold.spans[word] in same]
    for region in range(len(regions)):
        first = [gold.forms[word] for word in left[region]]
        second = [system.forms[word] for word in right[region]]
        pairs += [
            (left[region][one], right[region][other]) for one, other in _common(first, second)
        ]
    return pairs


def _merged(spans: list[Span]) -> list[Span]:
    """Return overlapping spans as one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _by_region(tokens: _Tokens, regions: list[Span]) -> dict[int, list[int]]:
    """Return the words that start in each region; -1 has those that start in none."""
    starts = [start for start, _ in regions]
    words: dict[int, list[int]] = defaultdict(list)
    for word, (start, _) in enumerate(tokens.spans):
        region = bisect_right(starts, start) - 1
        words[region if region >= 0 and start < regions[region][1] else -1].append(word)
    return words


def _common(first: list[str], second: list[str]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence."""
    length = np.zeros((len(first) + 1, len(second) + 1), dtype=np.int64)
    for one in reversed(range(len(first))):
        for other in reversed(range(len(second))):
            length[one, other] = (
                1 + length[one + 1, other + 1]
                if first[one] == second[other]
                else max(length[one + 1, other], length[one, other + 1])
            )
    pairs, one, other = [], 0, 0
    while one < len(first) and other < len(second):
        if first[one] == second[other]:
            pairs.append((one, other))
            one, other = one + 1, other + 1
        elif length[one + 1, other] >= length[one, other + 1]:
            one += 1
        else:
            other += 1
    return pairs
