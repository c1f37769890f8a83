"""Grammar: what is read of corpora of sentences with errors that people corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Edit:
    """What an annotator says of the tokens from ``start`` up to ``end``, counted from 0."""

    start: int
    end: int
    type: str
    correction: tuple[str, ...]
    """The tokens to put there; where the file offers several corrections, the first."""
    annotator: int
    line: int


@dataclass(frozen=True)
class AnnotatedSentence:
    """A source sentence, its edits in the order of their places, and who looked at it."""

    tokens: tuple[str, ...]
    edits: Sequence[Edit]
    annotators: frozenset[int]
    """Who has a line for it, be it ``noop``; everybody, where nobody has."""
    line: int


@dataclass(frozen=True)
class M2File:
    """The sentences of an M2 file, in its order."""

    source: str
    sentences: Sequence[AnnotatedSentence]
    annotators: Sequence[int]
    corrected: bool = True
    """Whether the edits say what is right, not only what is wrong."""


@dataclass(frozen=True)
class Parse:
    """Analysed sentences."""

    words: pa.Table
    """The words: target (the same everywhere), sentence_no, token_no, upos, feats, head, deprel,
    lemma."""
    units: pa.Table
    """Which token of the M2 file each word is, or is a part of: sentence_no, token_no, unit (from
    1)."""
