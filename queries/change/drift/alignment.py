"""Which words of two versions of a sentence belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

SAME, FORM, CUT, ADDED, REMOVED = "same", "form", "cut", "added", "removed"
Row = tuple[int, int | None, int | None, int, str]
"""Sentence, token_no in the old and the new version, unit, fate."""


def aligned_words(
    sentences: Sequence[int], old: Sequence[Sequence[str]], new: Sequence[Sequence[str]]
) -> pa.Table:
    """Return a row per word of each pair of sentences: new_no, old_token, new_token, unit, fate.

    Words belong together that are in a longest common subsequence of both versions' forms. Between
    them, as many words as there were are each spelled otherwise (fate ``form``); where the same
    letters are cut at other places, or the number of words changed, they are one unit (``cut``);
    words may be ``added`` and ``removed``.
    """
    import pyarrow as pa

    rows = [
        (sentence, *row)
        for sentence, before, after in zip(sentences, old, new, strict=True)
        for row in _aligned(before, after)
    ]
    columns = zip(*rows, strict=True) if rows else ([], [], [], [], [])
    kinds = (pa.int32(), pa.int32(), pa.int32(), pa.int32(), pa.string())
    names = ("new_no", "old_token", "new_token", "unit", "fate")
    arrays = [pa.array(values, kind) for values, kind in zip(columns, kinds, strict=True)]
    return pa.table(dict(zip(names, arrays, strict=True)))


def _aligned(
    old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[int | None, int | None, int, str]]:
    unit = 0
    for before, after in _stretches(old, new):
        same = [old[n] for n in before] == [new[n] for n in after]
        fate = SAME if same else _fate([old[n] for n in before], [new[n] for n in after])
        if fate in (SAME, FORM):
            for here, there in zip(before, after, strict=True):
                unit += 1
                yield here + 1, there + 1, unit, fate
            continue
        unit += 1
        for here in before:
            yield here + 1, None, unit, fate
        for there in after:
            yield None, there + 1, unit, fate


def _stretches(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[range, range]]:
    """Return the stretches of both in order: alternately the same words, and different ones."""
    from rapidfuzz.distance import LCSseq

    here = there = 0
    for block in LCSseq.editops(old, new).as_matching_blocks():
        if here < block.a or there < block.b:
            yield range(here, block.a), range(there, block.b)
        here, there = block.a + block.size, block.b + block.size
        yield range(block.a, here), range(block.b, there)


def _fate(before: Sequence[str], after: Sequence[str]) -> str:
    if not before:
        return ADDED
    if not after:
        return REMOVED
    if len(before) == len(after) and (len(before) == 1 or "".join(before) != "".join(after)):
        return FORM
    return CUT
