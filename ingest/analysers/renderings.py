"""How a reference sentence is written, and which parts of an output are written just so."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from rapidfuzz.distance import LCSseq, Opcodes

from sr_tracker.ingest.analysers.lexicon import ReferenceSentence, fold

# The alignment of two texts takes as many bits as the product of their numbers of chunks.
MAXIMUM_PRODUCT = 200_000_000


class Rendering(NamedTuple):
    """One way of writing a sentence: its chunks between blanks, and where words end with them."""

    chunks: list[str]
    chunk_cuts: Sequence[int]  # 0, and the numbers of chunks after which a surface form ends
    word_cuts: Sequence[int]  # the numbers of words before the same places
    unit_cuts: Sequence[int]  # the numbers of surface forms before the same places
    of_words: bool  # whether there are multiword tokens, and it writes their words apart


class Run(NamedTuple):
    """Neighbouring chunks of a text (start to end) that write words (first to last)."""

    start: int
    end: int
    first: int
    last: int
    same_case: bool


def renderings(sentence: ReferenceSentence) -> list[Rendering]:
    """Return the different ways of writing a sentence: as words, as surface forms, as its text."""
    forms = [word.form for word in sentence.words]
    surfaces = [surface for surface, _ in sentence.units]
    word_cuts: Sequence[int] = range(len(forms) + 1)
    found = [_rendering(forms, word_cuts, " ".join(forms), of_words=surfaces != forms)]
    if surfaces != forms:
        word_cuts = [0, *accumulate(len(indices) for _, indices in sentence.units)]
        found.append(_rendering(surfaces, word_cuts, " ".join(surfaces)))
    if sentence.text is not None and sentence.text.split() != found[-1].chunks:
        found.append(_rendering(surfaces, word_cuts, sentence.text))
    return found


def _rendering(
    units: list[str], word_cuts: Sequence[int], text: str, *, of_words: bool = False
) -> Rendering:
    """Return a text that writes surface forms in order; `word_cuts` are where their words end."""
    chunks = text.split()
    every = range(len(units) + 1)
    if chunks == units:
        return Rendering(chunks, every, word_cuts, every, of_words)
    written = ["".join(unit.split()) for unit in units]
    places = _places("".join(written), "".join(chunks))
    number_at = dict(zip(accumulate(map(len, written)), every[1:], strict=True))
    chunk_cuts, unit_cuts = [0], [0]
    for end, length in enumerate(accumulate(map(len, chunks)), start=1):
        number = number_at.get(length if places is None else places.get(length, -1), 0)
        if number > unit_cuts[-1]:
            chunk_cuts.append(end)
            unit_cuts.append(number)
    # Whatever is left at the end belongs to the last stretch.
    chunk_cuts[max(1, len(chunk_cuts) - 1) :] = [len(chunks)]
    unit_cuts[max(1, len(unit_cuts) - 1) :] = [len(units)]
    return Rendering(chunks, chunk_cuts, [word_cuts[cut] for cut in unit_cuts], unit_cuts, of_words)


def _places(source: str, target: str) -> dict[int, int] | None:
    """Return which place of the source each place of the target is; None where they are equal."""
    if source == target:
        return None
    places = {}
    for block in LCSseq.opcodes(source, target):
        if block.tag == "equal":
            shift = block.src_start - block.dest_start
            inside = range(block.dest_start, block.dest_end + 1)
            places.update({place: place + shift for place in inside})
        places[block.dest_end] = block.src_end
    return places


def written_so(found: list[Rendering], chunks: list[str]) -> tuple[bool, list[Run]]:
    """Return what a text has in common with that rendering with which it has most in common.

    That is whether the rendering is of words, and the runs on a longest common subsequence of the
    chunks, in order; between these, case does not count. Words in common count first, then chunks.
    """
    best, most = None, (0, 0)
    for rendering in found:
        if chunks == rendering.chunks:
            whole = Run(0, len(chunks), 0, rendering.word_cuts[-1], same_case=True)
            return rendering.of_words, [whole] if chunks else []
        if len(chunks) * len(rendering.chunks) > MAXIMUM_PRODUCT:
            continue
        codes = LCSseq.opcodes(rendering.chunks, chunks)
        runs = [
            run
            for code in codes
            if code.tag == "equal"
            and (run := _run(rendering, code.src_start, code.src_end, code.dest_start))
        ]
        words = sum([run.last - run.first for run in runs])
        common = words, sum([run.end - run.start for run in runs])
        if common > most:
            best, most = (rendering, codes, runs), common
    if best is None:
        return False, []
    rendering, codes, runs = best
    folded = _in_other_case(rendering, chunks, codes)
    return rendering.of_words, sorted(runs + folded) if folded else runs


def _run(rendering: Rendering, start: int, end: int, there: int) -> Run | None:
    """Return the longest run within some chunks, of which the first is the chunk `there` of a text.

    None where these chunks do not hold a whole surface form.
    """
    cuts = rendering.chunk_cuts
    first, last = bisect_left(cuts, start), bisect_right(cuts, end) - 1
    if first >= last:
        return None
    shift = there - start
    words = rendering.word_cuts
    return Run(cuts[first] + shift, cuts[last] + shift, words[first], words[last], same_case=True)


def _in_other_case(rendering: Rendering, chunks: list[str], codes: Opcodes) -> list[Run]:
    """Return the single surface forms that differ in their case only, between what is equal."""
    runs = []
    for gap in codes:
        if gap.tag != "replace":
            continue
        left = list(map(fold, rendering.chunks[gap.src_start : gap.src_end]))
        right = list(map(fold, chunks[gap.dest_start : gap.dest_end]))
        if set(left).isdisjoint(right):
            continue
        for code in LCSseq.opcodes(left, right):
            if code.tag == "equal":
                for offset in range(code.src_end - code.src_start):
                    chunk = gap.src_start + code.src_start + offset
                    there = gap.dest_start + code.dest_start + offset
                    cut = bisect_left(rendering.chunk_cuts, chunk)
                    run = _run(rendering, chunk, chunk + 1, there)
                    units = rendering.unit_cuts
                    if run is not None and units[cut + 1] == units[cut] + 1:
                        runs.append(run._replace(same_case=False))
    return runs
