"""Dependency trees and single dependencies as they are shown: words, edges, what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["", "found", "missed", "misplaced", "won", "lost"]
"""What became of an edge in an output; misplaced: it has both words, elsewhere; won and lost:
unlike in another output."""


@dataclass(frozen=True)
class TreeWord:
    """A word of a dependency tree, and what became of the edge to its head."""

    token_no: int
    head: int | None
    form: str
    deprel: str = ""
    labels: Sequence[str] = ()
    """Its part of speech, and what else a pattern's words are made of."""
    outcome: Outcome = ""
    matched: bool = False
    marked: bool = False
    """Whether the edge to its head is marked."""
    hidden: int = 0
    """Words below it that are left out."""


@dataclass(frozen=True)
class DependencyTree:
    """A reference's dependency tree, a row per word."""

    words: Sequence[TreeWord]
    name: str = "tree"


@dataclass(frozen=True)
class Dependency:
    """One dependency in its sentence: an arc, the words, and below them the values that clash."""

    forms: Sequence[str]
    ends: tuple[int, int]
    """Which of the words are the dependent and the head, counted from 0."""
    upos: tuple[str, str]
    values: tuple[str, str]
    deprel: str
    broken: str
    """What it breaks, in words."""
    place: str
    """The number of the sentence it is from."""
    origin: str = ""
    """Another name of the sentence."""
    reference: str = ""
