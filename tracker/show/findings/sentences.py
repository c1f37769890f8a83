"""Sentences: the words that differ, and the references' trees with what became of their edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from sr_tracker.queries.change.comparison.model import ReferenceWord
from sr_tracker.queries.errors.example_reading import Example, Word
from sr_tracker.queries.errors.matching import Match
from sr_tracker.queries.errors.word_difference import Piece
from sr_tracker.tracker.show.model import DependencyTree, Outcome, Span, Tone, TreeWord, Words
from sr_tracker.tracker.show.text.dependencies import shown_words

TREE_LEGEND = "✓ edge to the head found, ✗ not; ✗→✓ won, ✓→✗ lost; +n words below left out"
EMPTY: Mapping[int, bool | None] = MappingProxyType({})
HIDDEN, NO_OUTPUT = [Span("hidden", "muted")], [Span("no output", "muted")]


def reference_words(reference: str | None, words: Sequence[ReferenceWord]) -> Words:
    """Return a reference whose words are marked that one of two outputs alone has in place."""
    if reference is None:
        return HIDDEN

    def tone(word: ReferenceWord) -> Tone:
        if word.in_base == word.in_new:
            return ""
        return "extra" if word.in_new else "missing"

    return _joined((word.before, word.word, tone(word)) for word in words)


def compared_words(text: str | None, pieces: Sequence[Piece], only: Tone) -> Words:
    """Return a text whose words are marked that the other text lacks, or has elsewhere.

    ``only`` is the tone of those it lacks: missing in a reference, extra or stray in an output.
    """
    if text is None:
        return HIDDEN if only == "missing" else NO_OUTPUT
    tones: dict[str, Tone] = {"same": "", "moved": "moved", "only": only}
    return _joined((piece.before, piece.word, tones[piece.kind]) for piece in pieces)


def _joined(words: Iterable[tuple[str, str, Tone]]) -> list[Span]:
    """Return words, each behind what stands before it; neighbours of one tone are one span."""
    found: list[Span] = []
    for before, word, tone in words:
        if found and found[-1].tone == tone:
            found[-1] = Span(f"{found[-1].text}{before}{word}", tone)
        else:
            found += [Span(before), Span(word, tone)]
    return found


def tree_of_changes(
    words: Sequence[Word], found_before: Mapping[int, bool | None]
) -> DependencyTree:
    """Return a tree, with each word whether base and new have its edge.

    ``found_before`` tells by token number whether base's output has the edge; ``words`` tell it of
    new's. Of long trees only what is near edges won and lost is drawn.
    """
    tree = tree_of_words(words, found_before=found_before)
    changed = {
        word.token_no for word in words if word.found != found_before.get(word.token_no, word.found)
    }
    return DependencyTree(shown_words(tree.words, changed))


def tree_of_example(example: Example, labels: str, *, whole: bool) -> DependencyTree:
    """Return a tree with the words and edges of a pattern marked, and which edges are realised.

    Each word has what ``labels`` are made of; ``whole`` hides nothing of long trees.
    """
    tree = tree_of_words(example.words, example.matches, labels)
    return tree if whole else DependencyTree(shown_words(tree.words, example.matched))


def tree_of_words(
    words: Sequence[Word],
    matches: Sequence[Match] = (),
    labels: str = "",
    *,
    found_before: Mapping[int, bool | None] = EMPTY,
) -> DependencyTree:
    """Return a whole tree, as ``tree_of_example`` and ``tree_of_changes`` mark it."""
    tops = {match.top for match in matches}
    matched = {token_no for match in matches for token_no in match.tokens}
    inner = {t for match in matches for t in match.tokens if t != match.top}
    edges = matched if tops == matched else inner
    return DependencyTree(
        [
            replace(
                _tree_word(
                    word, _change(word, found_before.get(word.token_no, word.found)), labels
                ),
                matched=word.token_no in matched,
                marked=word.token_no in edges,
            )
            for word in words
        ]
    )


def _tree_word(word: Word, outcome: Outcome, labels: str = "") -> TreeWord:
    named = labels.split("~")
    found = [word.upos or "_"]
    found += [word.xpos or "_"] if "xpos" in named else []
    found += [(word.lemma or word.form or "_").lower()] if "lemma" in named else []
    return TreeWord(
        word.token_no,
        word.head,
        word.form or word.lemma or "_",
        deprel=word.deprel or "_",
        labels=found,
        outcome=outcome,
    )


def _change(word: Word, before: bool | None) -> Outcome:
    """Return what became of the edge of a word."""
    if word.found is None or before is None:
        return ""
    if word.found != before:
        return "won" if word.found else "lost"
    if word.found:
        return "found"
    return "misplaced" if word.misplaced else "missed"
