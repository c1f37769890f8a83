"""Dependency trees of references, with what became of their edges."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sr_tracker.queries.errors.example_reading import Example, Word
from sr_tracker.tracker.show.model import DependencyTree, Span, TreeWord, Words
from sr_tracker.tracker.show.text.dependencies import shown_words

LEGEND = "✓ edge to the head found, ✗ not; ✗→✓ won, ✓→✗ lost; +n words below left out"
_MARKS = {True: "✓", False: "✗"}


def tree_of_changes(
    words: Sequence[Word], found_before: Mapping[int, bool | None]
) -> DependencyTree:
    """Return a tree, with each word whether base and new have its edge, and its relation.

    ``found_before`` tells by token number whether base's output has the edge; ``words`` tell it of
    new's. Of long trees only what is near edges won and lost is drawn.
    """
    before = {word.token_no: found_before.get(word.token_no, word.found) for word in words}
    changed = {word.token_no for word in words if word.found != before[word.token_no]}
    shown = [
        _tree_word(word, [_change(word.found, before[word.token_no]), *_labels(word)])
        for word in words
    ]
    return DependencyTree(shown_words(shown, changed))


def tree_of_example(example: Example, labels: str, *, whole: bool) -> DependencyTree:
    """Return a tree with the words and edges of a pattern marked, and which edges are realised.

    Beside each word stands what ``labels`` are made of; ``whole`` hides nothing of long trees.
    """
    tops = {match.top for match in example.matches}
    matched: Collection[int] = example.matched
    edges = matched if tops == matched else _inner(example)
    shown = [
        TreeWord(
            word.token_no,
            word.head,
            word.form or word.lemma or "_",
            [_realised(word), *_labels(word, labels, muted=word.token_no not in matched)],
            matched=word.token_no in matched,
            marked=word.token_no in edges,
        )
        for word in example.words
    ]
    return DependencyTree(shown if whole else shown_words(shown, matched))


def _tree_word(word: Word, beside: Sequence[Words]) -> TreeWord:
    return TreeWord(word.token_no, word.head, word.form or word.lemma or "_", beside)


def _inner(example: Example) -> set[int]:
    """Return the dependents of the edges within the matches."""
    return {t for match in example.matches for t in match.tokens if t != match.top}


def _labels(word: Word, labels: str = "", *, muted: bool = False) -> list[Words]:
    """Return relation and part of speech of a word, and what else the labels are made of."""
    named = labels.split("~")
    found = [word.deprel, word.upos]
    found += [word.xpos] if "xpos" in named else []
    found += [(word.lemma or word.form or "_").lower()] if "lemma" in named else []
    return [[Span(each or "_", "muted" if muted else "")] for each in found]


def _change(found: bool | None, before: bool | None) -> Words:
    """Return what became of an edge."""
    if found is None or before is None:
        return ""
    if found == before:
        return _MARKS[found]
    return [Span(f"{_MARKS[before]}→{_MARKS[found]}", "better" if found else "worse")]


def _realised(word: Word) -> Words:
    if word.found is None:
        return ""
    return [Span(_MARKS[word.found], "better" if word.found else "worse")]
