"""Outputs with their references, scores, words and differences, and where patterns are in trees."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, Self

from ...schema.database import Database
from ...schema.statements import Row, read_rows, read_tuples


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


_OF_REFERENCE = ("token_no", "form", "lemma", "upos", "xpos", "deprel", "head")


@dataclass(frozen=True)
class Example:
    """An output with its reference, scores and where the pattern is in the reference's tree."""

    sentence_no: int
    sent_id: str | None
    reference: str | None
    """Of several without trees the one that has most of its words in the output."""
    output: str | None
    reference_pieces: Sequence[Piece]
    output_pieces: Sequence[Piece]
    words: Sequence[Word]
    """Without punctuation."""
    scores: Mapping[str, float | None] = field(default_factory=dict)
    """By metric; human z-scores as criterion_z."""
    matches: Sequence[Match] = ()
    other_references: Sequence[str] = ()

    @property
    def matched(self) -> set[int]:
        """Token numbers of the words that belong to a match."""
        return {token_no for match in self.matches for token_no in match.tokens}


Key = tuple[str, int]
"""A submission's id, and the number of a sentence."""


def read_outputs(database: Database, keys: Iterable[Key]) -> dict[Key, Example]:
    """Return the outputs of submissions for sentences by both, without scores and matches."""
    return {key: _example(row) for key, row in _read(database, keys).items()}


def read_examples(
    database: Database,
    submission_id: str,
    sentence_nos: Sequence[int],
    matches: Mapping[int, Sequence[Match]],
) -> list[Example]:
    """Return a submission's outputs for these sentences with all that is shown of them, in order.

    ``matches`` are those of a pattern by sentence.
    """
    scores: dict[int, dict[str, float | None]] = {number: {} for number in sentence_nos}
    for number, measure, score in read_tuples(
        database, "example_scores", submission_id=submission_id, sentence_nos=[*sentence_nos]
    ):
        scores[number][measure] = score
    outputs = read_outputs(database, [(submission_id, number) for number in sentence_nos])
    return [
        replace(
            outputs[submission_id, number],
            scores=scores[number],
            matches=matches.get(number, []),
        )
        for number in sentence_nos
        if (submission_id, number) in outputs
    ]


def read_words(
    database: Database, submission_id: str, sentence_nos: Sequence[int]
) -> dict[int, list[Word]]:
    """Return the words of these references, with what became of their edges in the outputs."""
    rows = _read(database, [(submission_id, number) for number in sentence_nos])
    words = {number: _words(row) for (_, number), row in rows.items()}
    return {number: words.get(number, []) for number in sentence_nos}


def _read(database: Database, keys: Iterable[Key]) -> dict[Key, Row]:
    wanted = sorted({*keys})
    rows = read_rows(
        database,
        "example_outputs",
        submissions=[submission for submission, _ in wanted],
        sentence_nos=[number for _, number in wanted],
    )
    return {(row["submission_id"], row["sentence_no"]): row for row in rows}


def _words(row: Row) -> list[Word]:
    """Return the words of a reference without punctuation, with what became of their edges."""
    outcomes = dict(zip(row["edges"] or (), row["found"] or (), strict=False))
    return [
        Word(
            **{name: word[name] for name in _OF_REFERENCE},
            found=bool(outcomes[word["token_no"]]) if word["token_no"] in outcomes else None,
            misplaced=outcomes.get(word["token_no"]) == 0 and word["both_there"],
        )
        for word in row["words"]
        if not word["is_punctuation"]
    ]


def _example(row: Row) -> Example:
    """Return an output with what differs from its reference, of several from the nearest one."""
    forms = [word["form"] for word in row["words"] if word["form"] is not None]
    output = cut_words(row["output"] or "", row["output_words"])
    references = [row["reference"], *row["others"]]
    shown = references[:1] if forms else references
    nearest, reference_pieces, output_pieces = nearest_difference(
        [cut_words(reference or "", forms) for reference in shown], output
    )
    return Example(
        sentence_no=row["sentence_no"],
        sent_id=row["sent_id"],
        reference=references.pop(nearest),
        output=row["output"],
        reference_pieces=reference_pieces,
        output_pieces=output_pieces,
        words=_words(row),
        other_references=references,
    )


Kind = Literal["same", "moved", "only"]

_LOOKAHEAD = 6
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17d3\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Letters of scripts that put no blanks between words: Thai, Lao, Tibetan, Burmese, Khmer, Kana,
Chinese."""
_LETTER = re.compile(r"\S")
_END_OF_WORD = re.compile(rf"\s|{_UNSPACED.pattern}|$")


@dataclass(frozen=True)
class Piece:
    """A word of a text, with what stands before it and whether the other text has it."""

    before: str
    """Blanks between the word before and this one."""
    word: str
    kind: Kind
    """same: in both texts in the same order; moved: in both; only: in this text alone."""


def cut_words(text: str, words: Sequence[str]) -> list[tuple[str, str]]:
    """Return the words of a text, each with the blanks before it.

    ``words`` are the analysed words in order: they cut text without blanks, such as Japanese.
    What none of them fits (a contraction, say) is cut at blanks, its outer punctuation taken off,
    and where a script has no blanks into letters, each with the marks on it.
    """
    pieces: list[tuple[str, str]] = []
    position = 0
    following = 0
    while position < len(text):
        letter = _LETTER.search(text, position)
        if letter is None:
            break
        start = letter.start()
        ahead = range(following, min(following + _LOOKAHEAD, len(words)))
        next_word = next((n for n in ahead if words[n] and text.startswith(words[n], start)), None)
        if next_word is None:
            end = _end_of_stretch(text, start)
        else:
            end = start + len(words[next_word])
            following = next_word + 1
        pieces.append((text[position:start], text[start:end]))
        position = end
    return pieces


def _end_of_stretch(text: str, start: int) -> int:
    """Return where the word that starts here ends: at a blank, without punctuation at its end."""
    end = start + 1
    if _UNSPACED.match(text[start]):
        while end < len(text) and unicodedata.category(text[end]) in ("Mn", "Mc"):
            end += 1
        return end
    end = next(_END_OF_WORD.finditer(text, end)).start()
    if _is_punctuation(text[start]):
        return start + 1
    while end - start > 1 and _is_punctuation(text[end - 1]):
        end -= 1
    return end


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith("P")


def nearest_difference(
    references: Sequence[Sequence[tuple[str, str]]], output: Sequence[tuple[str, str]]
) -> tuple[int, list[Piece], list[Piece]]:
    """Return which reference has most of its words in an output, and their ``word_difference``."""
    differences = [word_difference(reference, output) for reference in references]

    def shared(place: int) -> float:
        pieces, _ = differences[place]
        return sum(piece.kind == "same" for piece in pieces) / max(1, len(pieces))

    nearest = max(range(len(differences)), key=shared)
    return nearest, *differences[nearest]


def word_difference(
    first: Sequence[tuple[str, str]], second: Sequence[tuple[str, str]]
) -> tuple[list[Piece], list[Piece]]:
    """Return the words of two texts with what became of each; case does not count.

    The words of a longest common subsequence are the same; of the others, those that the other
    text has as well (as often) are moved.
    """
    from rapidfuzz.distance import LCSseq

    first_words = [word.lower() for _, word in first]
    second_words = [word.lower() for _, word in second]
    same_first: set[int] = set()
    same_second: set[int] = set()
    for step in LCSseq.opcodes(first_words, second_words):
        if step.tag == "equal":
            same_first.update(range(step.src_start, step.src_end))
            same_second.update(range(step.dest_start, step.dest_end))
    rest_first = Counter(w for n, w in enumerate(first_words) if n not in same_first)
    rest_second = Counter(w for n, w in enumerate(second_words) if n not in same_second)
    return (
        _pieces(first, same_first, rest_second),
        _pieces(second, same_second, rest_first),
    )


def _pieces(cut: Sequence[tuple[str, str]], same: set[int], other: Counter[str]) -> list[Piece]:
    pieces = []
    left = Counter(other)
    for number, (before, word) in enumerate(cut):
        kind: Kind = "same"
        if number not in same:
            kind = "moved" if left[word.lower()] > 0 else "only"
            left[word.lower()] -= 1
        pieces.append(Piece(before, word, kind))
    return pieces


class PatternNode(Protocol):
    """A node of a pattern: a label, and children in no order."""

    @property
    def label(self) -> str:
        """What a word must be labelled with."""

    @property
    def children(self) -> Sequence[Self]:
        """The nodes below it."""


@dataclass(frozen=True)
class Tree:
    """A sentence's words by token number: their labels and heads (None for a root)."""

    labels: Mapping[int, str]
    heads: Mapping[int, int | None]


@dataclass(frozen=True)
class Match:
    """A word at which a pattern is found."""

    top: int
    """Token number of the word that is the pattern's topmost node."""
    tokens: tuple[int, ...]
    """Token numbers of all words that can be a node of the pattern here, the top included."""


def find_matches(pattern: PatternNode, tree: Tree) -> list[Match]:
    """Return the words at which the pattern is found, in order (section 3.4 of the paper).

    A pattern is found where each of its nodes is a word of its own with the node's label, and the
    children of a node are dependents of its word: in any order, among others.
    """
    matcher = _Matcher(tree)
    return [
        Match(token_no, tuple(sorted(matcher.participants(pattern, token_no))))
        for token_no in sorted(tree.labels)
        if matcher.fits(pattern, token_no)
    ]


def contains(pattern: PatternNode, tree: Tree) -> bool:
    """Return whether the pattern is anywhere in the tree."""
    matcher = _Matcher(tree)
    return any(matcher.fits(pattern, token_no) for token_no in tree.labels)


class _Matcher:
    """Decides node by node, each pair of a node and a word once."""

    def __init__(self, tree: Tree) -> None:
        self._labels = tree.labels
        self._dependents: dict[int, list[int]] = {token_no: [] for token_no in tree.labels}
        self._assigned: dict[tuple[int, int], bool] = {}
        for token_no, head in tree.heads.items():
            if head is not None:
                self._dependents[head].append(token_no)

    def fits(self, node: PatternNode, token_no: int) -> bool:
        """Return whether the pattern below and with ``node`` is found at the word."""
        if self._labels[token_no] != node.label:
            return False
        if not node.children:
            return True
        key = (id(node), token_no)
        if key not in self._assigned:
            self._assigned[key] = _assignable(self._options(node, token_no))
        return self._assigned[key]

    def participants(self, node: PatternNode, token_no: int) -> set[int]:
        """Return the words that are part of some match of ``node`` at the word where it fits."""
        words = {token_no}
        options = self._options(node, token_no)
        for number, child in enumerate(node.children):
            others = options[:number] + options[number + 1 :]
            for word in options[number]:
                if _assignable(
                    [[option for option in other if option != word] for other in others]
                ):
                    words |= self.participants(child, word)
        return words

    def _options(self, node: PatternNode, token_no: int) -> list[list[int]]:
        """Return, per child of the node, the dependents of the word that it fits."""
        dependents = self._dependents[token_no]
        return [[word for word in dependents if self.fits(child, word)] for child in node.children]


def _assignable(options: Sequence[Sequence[int]]) -> bool:
    """Return whether each gets one of its options and no option goes twice (augmenting paths)."""
    owner: dict[int, int] = {}

    def place(number: int, tried: set[int]) -> bool:
        for option in options[number]:
            if option not in tried:
                tried.add(option)
                if option not in owner or place(owner[option], tried):
                    owner[option] = number
                    return True
        return False

    return all(place(number, set()) for number in range(len(options)))
