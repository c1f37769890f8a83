"""Outputs with their references, scores, words and differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ...schema.database import Database
from ...schema.statements import read_tuples
from .matching import Match
from .word_difference import Piece, cut_words, word_difference


@dataclass(frozen=True)
class Word:
    """A word of a reference, and whether the output realises the edge to its head."""

    token_no: int
    form: str | None
    lemma: str | None
    upos: str | None
    xpos: str | None
    deprel: str | None
    head: int | None
    """Token number of the head; None for a root."""
    found: bool | None
    """None for a root, and where dependency edge accuracy is not computed."""
    misplaced: bool = False
    """Whether the edge is not found though the output has both of its words, elsewhere."""


@dataclass(frozen=True)
class Example:
    """An output with its reference, scores and where the pattern is in the reference's tree."""

    sentence_no: int
    sent_id: str | None
    reference: str | None
    output: str | None
    reference_pieces: Sequence[Piece]
    output_pieces: Sequence[Piece]
    scores: Mapping[str, float | None]
    """By metric; human z-scores as criterion_z."""
    words: Sequence[Word]
    """Without punctuation."""
    matches: Sequence[Match]

    @property
    def matched(self) -> set[int]:
        """Token numbers of the words that belong to a match."""
        return {token_no for match in self.matches for token_no in match.tokens}


def read_examples(
    database: Database,
    submission_id: str,
    sentence_nos: Sequence[int],
    matches: dict[int, list[Match]],
) -> list[Example]:
    """Return the outputs of these sentences with all that is shown of them, in this order."""
    asked = {"submission_id": submission_id, "sentence_nos": list(sentence_nos)}
    scores: dict[int, dict[str, float | None]] = {number: {} for number in sentence_nos}
    for number, measure, score in read_tuples(database, "example_scores", **asked):
        scores[number][measure] = score
    words = read_words(database, submission_id, sentence_nos)
    texts = {row[0]: row[1:] for row in read_tuples(database, "example_texts", **asked)}
    return [
        example_of(texts[number], number, scores[number], words[number], matches.get(number, []))
        for number in sentence_nos
        if number in texts
    ]


def read_words(
    database: Database, submission_id: str, sentence_nos: Sequence[int]
) -> dict[int, list[Word]]:
    """Return the words of these references, with what became of their edges in the outputs."""
    asked = {"submission_id": submission_id, "sentence_nos": list(sentence_nos)}
    words: dict[int, list[Word]] = {number: [] for number in sentence_nos}
    for number, *values in read_tuples(database, "example_words", **asked):
        words[number].append(Word(*values))
    return words


def example_of(
    texts: tuple[Any, ...],
    sentence_no: int,
    scores: Mapping[str, float | None] = MappingProxyType({}),
    words: Sequence[Word] = (),
    matches: Sequence[Match] = (),
) -> Example:
    """Return an output with what differs from its reference.

    ``texts`` are the sent_id, the reference, the output, and the words of both.
    """
    sent_id, reference, output, reference_words, output_words = texts
    reference_cut = cut_words(reference or "", reference_words)
    output_cut = cut_words(output or "", output_words)
    reference_pieces, output_pieces = word_difference(reference_cut, output_cut)
    return Example(
        sentence_no=sentence_no,
        sent_id=sent_id,
        reference=reference,
        output=output,
        reference_pieces=reference_pieces,
        output_pieces=output_pieces,
        scores=scores,
        words=words,
        matches=matches,
    )
