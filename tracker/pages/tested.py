"""The page of every test: what changed from one submission to another, or how several rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...queries.change.comparison.comparing import rankings
from ...queries.change.comparison.model import SentenceChange, Settings
from ...queries.change.comparison.sides import IncomparableError
from ...queries.change.comparison.stored import stored_comparisons
from ...schema.database import Database
from ...schema.errors import InputError
from ..api.tracker import Tracker
from ..show.findings.comparison import comparison_document
from ..show.findings.ranking import ranking_document
from ..show.model import Block, Page, Section, Span, Table
from . import Asked
from .addresses import address
from .lists import first_leads, title_leads

MOST = 6
"""Submissions that one page compares."""


def chosen(tracker: Tracker, asked: Asked) -> list[str]:
    """Return the ids of the submissions that an address names: the base, then the others.

    Raises InputError where one is named twice, or too many, and what resolving them raises.
    """
    more = [name for name in asked.get("other", "").split("\n") if name]
    names = [asked.get("base", ""), asked.get("new", ""), *more]
    base, *others = dict.fromkeys(tracker.resolve(name) for name in names)
    if not others:
        raise InputError(f"{base} is not compared with itself", hint="choose another")
    if len(others) >= MOST:
        raise InputError(f"{len(others) + 1} submissions are too many", hint=f"at most {MOST}")
    return [base, *others]


def stored_verdict(database: Database, new: str, base: str) -> Sequence[str]:
    """Return the sentences of a verdict as it is stored; none where none is, or holds no more."""
    comparison = stored_comparisons(database, [(new, base)]).get((new, base))
    return comparison.verdict if comparison else []


def not_stored(new: str, base: str) -> str:
    """Return what to say where no verdict is stored."""
    return f"No verdict against {base} is stored: 'tracker compare {new} {base}' stores it."


def tested(tracker: Tracker, asked: Asked) -> Page:
    """Return what changed from one submission to another, or how several rank, all tested."""
    base, *others = chosen(tracker, asked)
    page = (
        _ranking(tracker, [*others, base]) if len(others) > 1 else _pair(tracker, others[0], base)
    )
    above = address("/compare", new=others[0], base=base, other=others[1:])
    return replace(page, trail=[*page.trail, Span("Comparison", address=above)])


def _ranking(tracker: Tracker, submissions: Sequence[str]) -> Page:
    document = ranking_document(rankings(tracker.database, submissions, Settings(force=True)))
    return Page(
        document, [Span(each, address=address("/submission", each)) for each in submissions]
    )


def _pair(tracker: Tracker, new: str, base: str) -> Page:
    try:
        comparison = tracker.compare(new, base)
    except IncomparableError:
        comparison = tracker.compare(new, base, force=True)
    document = comparison_document(comparison)
    about = {"submission_id": new, "treebank_id": comparison.new.treebank_id}
    changed = {"gained": comparison.gained, "lost": comparison.lost}
    among = {"base": base, "metric": comparison.settings.sentence_metric}
    shown = [
        replace(
            section,
            blocks=_with_links(
                section,
                {**about, "among": {**among, "change": section.anchor}},
                changed.get(section.anchor, ()),
            ),
        )
        for section in document.sections
    ]
    trail = [Span(each, address=address("/submission", each)) for each in (new, base)]
    return Page(replace(document, sections=shown), trail)


def _with_links(
    section: Section, about: Mapping[str, Any], changed: Sequence[SentenceChange]
) -> Sequence[Block]:
    """Return what a section shows, its relations, patterns and sentences leading to their pages."""
    if changed:
        return [
            title_leads(card, each.sentence_no, about)
            for card, each in zip(section.blocks, changed, strict=True)
        ]
    return [_table_with_links(block, about) for block in section.blocks]


def _table_with_links(block: Block, about: Mapping[str, Any]) -> Block:
    if isinstance(block, Table) and block.columns[0].name in ("relation", "pattern"):
        column = {"relation": "deprel", "pattern": "pattern"}[block.columns[0].name]
        return first_leads(block, column, about)
    return block
