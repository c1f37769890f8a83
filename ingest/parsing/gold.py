"""Gold treebanks and what parsers make of them: words with their analyses as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...schema.errors import InputError
from ...schema.files import read_text
from ..noise.writing import ALTERED
from ..treebanks.conllu import ConlluFile, parse_conllu
from ..treebanks.conllu_columns import check_trees, read_heads

UNIVERSAL_FEATURES = frozenset(
    {
        *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr"),
        *("Gender", "Animacy", "Number", "Case", "Definite", "Degree"),
        *("VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident"),
        *("Polarity", "Person", "Polite"),
    }
)
"""The features that count as UFeats in the shared task of CoNLL 2018."""
ROOT, NO_HEAD = -1, -2


@dataclass(frozen=True)
class Words:
    """The words of a file and what is said of them; all arrays have one entry per word."""

    lengths: np.ndarray
    """How many words each sentence has."""
    upos: np.ndarray
    feats: np.ndarray
    """Only universal features, in the order of their names."""
    head: np.ndarray
    """The place of the head in the file, ROOT, or NO_HEAD where the tree says nothing."""
    deprel: np.ndarray
    """Universal relation, subtype dropped."""


def read_gold(file: Path) -> ConlluFile:
    """Return a gold treebank.

    Raises InputError with file and line for what is not CoNLL-U or no tree, and for an empty file.
    """
    gold = parse_conllu(read_text(file), str(file))
    if not gold.lines:
        raise InputError("the file has no sentences", where=str(file), hint="give a CoNLL-U file")
    check_trees(gold, read_heads(gold))
    return gold


def words_of(file: ConlluFile) -> Words:
    """Return the words of a CoNLL-U file.

    Raises InputError with the line where a HEAD is not a number of another word of its sentence.
    """
    heads = read_heads(file)
    offsets = np.repeat(file.starts, file.lengths)
    places = np.where(heads > 0, offsets + heads - 1, np.where(heads == 0, ROOT, NO_HEAD))
    columns = {name: file.words[name].to_pylist() for name in ("upos", "feats", "deprel")}
    universal = {feats: _universal(feats) for feats in set(columns["feats"])}
    return Words(
        lengths=file.lengths,
        upos=np.array(columns["upos"], dtype=object),
        feats=np.array([universal[feats] for feats in columns["feats"]], dtype=object),
        head=places,
        deprel=np.array([name.partition(":")[0] for name in columns["deprel"]], dtype=object),
    )


def altered_words(file: ConlluFile) -> np.ndarray:
    """Return which words the sentences' ``# altered`` comments name."""
    altered = np.zeros(len(file.word_lines), dtype=bool)
    for start, length, comments in zip(file.starts, file.lengths, file.comments, strict=True):
        for comment in comments:
            number = comment.removeprefix(ALTERED).split()[:1] if ALTERED in comment else []
            if number and number[0].isdecimal() and 0 < int(number[0]) <= length:
                altered[start + int(number[0]) - 1] = True
    return altered


def _universal(feats: str) -> str:
    kept = (item for item in feats.split("|") if item.partition("=")[0] in UNIVERSAL_FEATURES)
    return "|".join(sorted(kept, key=str.lower)) or "_"


def concatenate(files: Sequence[Path]) -> str:
    """Return the sentences of several CoNLL-U files, one file after the other.

    Raises InputError with file and line for what is not CoNLL-U or no tree, and for an empty file.
    """
    for file in files:
        read_gold(file)
    return "".join(f"{read_text(file).strip()}\n\n" for file in files)
