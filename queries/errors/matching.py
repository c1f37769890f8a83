"""Where a subtree pattern is in a dependency tree, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self


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
        self._known: dict[tuple[int, int], bool] = {}
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
        if key not in self._known:
            self._known[key] = _assignable(self._options(node, token_no))
        return self._known[key]

    def participants(self, node: PatternNode, token_no: int) -> set[int]:
        """Return the words that are part of some match of ``node`` at the word where it fits."""
        words = {token_no}
        options = self._options(node, token_no)
        for number, child in enumerate(node.children):
            others = options[:number] + options[number + 1 :]
            for word in options[number]:
                if _assignable([[each for each in other if each != word] for other in others]):
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
