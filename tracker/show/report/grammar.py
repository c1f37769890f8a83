"""The section of a report over grammar rules: how well outputs keep them, and where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sr_tracker.queries.grammar.violations import Violations, find_violations
from sr_tracker.schema.brief import plural
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import Row, read_rows
from sr_tracker.tracker.show.findings.broken_rules import rule_card, rule_table
from sr_tracker.tracker.show.model import Column, Paragraph, Section, Tab, Tabs
from sr_tracker.tracker.show.tables import table

SUBMISSIONS = 12
"""Submissions whose worst rules are shown: those with the lowest score."""
RULES = 15
"""Rules shown of each, and of so many …"""
DRAWN = 4
"""… the links that break them, …"""
LINKS = 2
"""… so many of each."""

SCORES = {
    "submission_id": Column("submission", "text"),
    "grammar": Column("grammar", meaning="mean over rules of the share of links that keep them"),
    "grammar_agreement": Column("agreement", meaning="the same of agreement rules alone"),
    "grammar_argument": Column("argument structure", meaning="the same of case and verb form"),
    "sentences": Column("sentences", meaning="sentences to which some rule applies"),
    "untouched": Column("untouched", meaning="share of the sentences to which no rule applies"),
    "rule_set_id": Column("rules", "text"),
}


@dataclass(frozen=True)
class Checked:
    """What grammar rules say of the submissions."""

    scores: Sequence[Row]
    worst: Sequence[Violations]
    """Of the submissions with the lowest scores."""


def read_grammar(database: Database, submissions: Sequence[str]) -> Checked:
    """Return the grammar scores of submissions, and the rules that the lowest of them break."""
    scores = read_rows(database, "report_grammar_scores", submissions=submissions)
    lowest = sorted(scores, key=lambda row: (row["grammar"], row["submission_id"]))[:SUBMISSIONS]
    worst = [
        find_violations(database, row["submission_id"], limit=RULES, examples=LINKS)
        for row in lowest
    ]
    return Checked(scores, worst)


def grammar(checked: Checked) -> Section:
    """Return how well-formed the outputs are, by grammar rules, and the rules they break."""
    reading = (
        "Rules of agreement, case and verb form, learned from a treebank and checked on the trees "
        "of the outputs. The score is the mean over rules of the share of links that keep them, 0 "
        "to 1; it needs no reference. A parser's error looks like one of the system."
    )
    shown = table("Grammar", SCORES, checked.scores, shown=25)
    blocks: list[Any] = [shown]
    if len(checked.worst) < len(checked.scores):
        worst = plural(len(checked.worst), "submission")
        note = f"Broken rules of the {worst} with the lowest scores:"
        blocks.append(Paragraph(note))
    tabs = [Tab(found.submission_id, _blocks(found)) for found in checked.worst]
    blocks += tabs[0].blocks if len(tabs) == 1 else [Tabs("grammar", tabs)]
    return Section("grammar", "Grammar", "Grammar rules", reading, blocks)


def _blocks(found: Violations) -> list[Any]:
    if not found.worst:
        return [Paragraph(f"{found.submission_id} breaks no rule.")]
    cards = [rule_card(rule) for rule in found.worst[:DRAWN]]
    return [rule_table(found, RULES), *cards]
