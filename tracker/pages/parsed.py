"""The sections of a report over what parsers' analyses tell: grammar rules, and meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...queries.grammar.violations import Violations, find_violations
from ...queries.meaning.explain import explain
from ...queries.meaning.explained import Explanations
from ...queries.reading import read_about
from ...schema.brief import plural
from ...schema.database import Database
from ...schema.statements import Row, read_rows
from ..grammar.findings import rule_card, rule_table
from ..meaning.findings import explained_card
from ..show.model import Block, Paragraph, Section, Tab
from .drawings import tabbed
from .lists import heading
from .sections import section, section_table

CHECKED = 12
"""Submissions whose worst rules are shown: those with the lowest score."""
RULES = 15
"""Rules shown of each, and of so many …"""
DRAWN = 4
"""… the links that break them, …"""
LINKS = 2
"""… so many of each."""


@dataclass(frozen=True)
class Checked:
    """What grammar rules say of the submissions."""

    scores: Sequence[Row]
    worst: Sequence[Violations]
    """Of the submissions with the lowest scores."""


def read_grammar(database: Database, submissions: Sequence[str]) -> Checked:
    """Return the grammar scores of submissions, and the rules that the lowest of them break."""
    order = "treebank_id, grammar DESC, submission_id"
    rows = read_about(database, "grammar_scores", submissions, order).to_pylist()
    scores = [row for row in rows if row["grammar"] is not None]
    lowest = sorted(scores, key=lambda row: (row["grammar"], row["submission_id"]))[:CHECKED]
    worst = [
        find_violations(database, row["submission_id"], limit=RULES, examples=LINKS)
        for row in lowest
    ]
    return Checked(scores, worst)


def grammar(checked: Checked) -> Section:
    """Return how well-formed the outputs are, by grammar rules, and the rules they break."""
    blocks: list[Block] = [section_table("report.grammar", checked.scores)]
    if len(checked.worst) < len(checked.scores):
        worst = plural(len(checked.worst), "submission")
        note = f"Broken rules of the {worst} with the lowest scores:"
        blocks.append(Paragraph(note))
    tabs = [Tab(found.submission_id, _blocks(found)) for found in checked.worst]
    blocks += tabbed("grammar", tabs)
    return section("report.grammar", blocks)


def _blocks(found: Violations) -> list[Block]:
    if not found.worst:
        return [Paragraph(f"{found.submission_id} breaks no rule.")]
    cards = [rule_card(rule) for rule in found.worst[:DRAWN]]
    return [rule_table(found, RULES), *cards]


EXPLAINED = 6
"""Submissions whose outputs are explained: those with the lowest meaning, …"""
OUTPUTS = 3
"""… and so many outputs of each."""

HOW = ("measure", "parser", "model")
"""Columns that a note stands for where they are the same for all submissions."""


@dataclass(frozen=True)
class Compared:
    """What graphs say of the submissions."""

    scores: Sequence[Row]
    explained: Sequence[Explanations]
    """Of the submissions with the lowest meaning."""


def read_meaning(database: Database, submissions: Sequence[str]) -> Compared:
    """Return the scores of meaning, and the outputs that lost most of it."""
    scores = read_rows(database, "report_mf_scores", submissions=submissions)
    lowest = sorted(
        (row for row in scores if row["measure"] == "smatch" and row["meaning"] is not None),
        key=lambda row: (row["meaning"], row["submission_id"]),
    )
    explained = [
        explain(database, row["submission_id"], parser=row["parser"], limit=OUTPUTS)
        for row in lowest[:EXPLAINED]
    ]
    return Compared(scores, explained)


def meaning(compared: Compared) -> Section:
    """Return Meaning, Form and both, and what the worst outputs say otherwise."""
    tabs = [
        Tab(
            found.submissions[0],
            [replace(explained_card(each), anchor="") for each in found.explained],
        )
        for found in compared.explained
    ]
    alone = [name for name in HOW if len({row[name] for row in compared.scores}) == 1]
    note = " · ".join(f"{heading(name)}: {compared.scores[0][name] or 'none'}" for name in alone)
    shown = section_table("report.meaning", compared.scores, hidden=alone, note=note)
    return section("report.meaning", [shown, *tabbed("meaning", tabs)])
