"""How a reference sentence is written: as words, as surface forms, as its text, as lemmas."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from .lexicon import ReferenceSentence


class Rendering(NamedTuple):
    """One way of writing a sentence: its chunks between blanks, and where words end with them."""

    chunks: list[str]
    chunk_cuts: Sequence[int]  # 0, and the numbers of chunks after which a surface form ends
    word_cuts: Sequence[int]  # the numbers of words before the same places
    of_words: bool  # whether there are multiword tokens, and it writes their words apart
    of_lemmas: bool = False


def renderings(sentence: ReferenceSentence) -> list[Rendering]:
    """Return the different ways of writing a sentence: words, surface forms, its text, lemmas."""
    forms = [word.form for word in sentence.words]
    surfaces = [surface for surface, _ in sentence.units]
    word_cuts: Sequence[int] = range(len(forms) + 1)
    found = [_rendering(forms, word_cuts, " ".join(forms), of_words=surfaces != forms)]
    if surfaces != forms:
        word_cuts = [0, *accumulate(len(indices) for _, indices in sentence.units)]
        found.append(_rendering(surfaces, word_cuts, " ".join(surfaces)))
    if sentence.text is not None and sentence.text.split() != found[-1].chunks:
        found.append(_rendering(surfaces, word_cuts, sentence.text))
    lemmas = [word.lemma for word in sentence.words]
    if lemmas != forms:
        word_cuts = range(len(forms) + 1)
        written = " ".join(lemmas)
        own = _rendering(lemmas, word_cuts, written, of_words=surfaces != forms)
        found.append(own._replace(of_lemmas=True))
    return found


def _rendering(
    units: list[str], word_cuts: Sequence[int], text: str, *, of_words: bool = False
) -> Rendering:
    """Return a text that writes surface forms in order; `word_cuts` are where their words end."""
    chunks = text.split()
    every = range(len(units) + 1)
    if chunks == units:
        return Rendering(chunks, every, word_cuts, of_words)
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
    return Rendering(chunks, chunk_cuts, [word_cuts[cut] for cut in unit_cuts], of_words)


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
