"""Outputs that are explained: their scores, their graphs, and what differs in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from sr_tracker.queries.meaning.findings import Finding
from sr_tracker.queries.meaning.layout import Line
from sr_tracker.schema.brief import Brief

By: TypeAlias = Literal["meaning", "form"]
BY: tuple[By, ...] = get_args(By)


@dataclass(frozen=True)
class Unmatched:
    """A triple that is missing, extra or changed, with concepts in place of variables."""

    kind: str
    triple: str
    instead: str | None = None
    """What the output has in its place, where it is changed."""


@dataclass(frozen=True)
class Side:
    """What a submission made of a sentence, and how its graph differs from the gold graph."""

    submission_id: str
    output: str | None
    f1: float | None
    precision: float | None
    recall: float | None
    accepted: bool | None
    """Whether the output is as well-formed as the reference; None where that is not known."""
    quality: float | None
    """The estimated quality of the parse, 0 to 1."""
    flag: str | None
    """What is unusual about the graph, or why there is none."""
    status: str
    """How far the alignment is proved to be the best."""
    penman: str | None
    summary: str
    """In a sentence, what of the meaning is lost, added or changed."""
    findings: Sequence[Finding]
    unmatched: Sequence[Unmatched]
    gold_lines: Sequence[Line]
    """The gold graph, its triples marked that this output lacks or changes."""
    lines: Sequence[Line]
    """The output's graph; empty where there is none."""


@dataclass(frozen=True)
class Explained:
    """A sentence and what one or two submissions made of it."""

    sentence_no: int
    sent_id: str | None
    reference: str | None
    """None where the treebank hides its text."""
    gold_graph: str
    sides: Sequence[Side]


@dataclass(frozen=True, repr=False)
class Explanations(Brief):
    """The most telling outputs of a submission, or of two."""

    submissions: Sequence[str]
    treebank_id: str
    parser: str
    top: str
    mode: str
    model: str | None
    """The language model that judged the form; None where none did."""
    signature_id: str
    by: By
    named: bool
    """Whether the sentences were asked for, not chosen."""
    sentences: int
    """Sentences that were compared."""
    without_graph: int
    """Those of them for which an output has no graph."""
    explained: Sequence[Explained]
