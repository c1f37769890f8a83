"""The section of a report over grammar rules: how well outputs keep them, and where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sr_tracker.queries.grammar.violations import (
    KeptRule,
    Violations,
    find_violations,
    told_examples,
    told_rule,
)
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import Row, read_rows
from sr_tracker.tracker.show.grammar.page_arcs import dependency_figure
from sr_tracker.tracker.show.report.cells import table
from sr_tracker.tracker.show.report.page_model import BrokenRule, Column, Section, Tab, Tabs, Text

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
WORST = {
    "rule": Column("rule", "pattern"),
    "asks": Column("asks", "text"),
    "satisfied": Column("satisfied", meaning="share of the links it applies to that keep it"),
    "violated": Column("broken", meaning="links that break it"),
    "applicable": Column("of", meaning="links it applies to"),
    "reference_satisfied": Column("reference", meaning="share of the references' that keep it"),
    "points": Column("cost", meaning="points (hundredths) the score loses by it", digits=2),
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
        note = f"Broken rules of the {len(checked.worst)} submissions with the lowest scores:"
        blocks.append(Text(note))
    tabs = [Tab(found.submission_id, _blocks(found)) for found in checked.worst]
    blocks += tabs[0].blocks if len(tabs) == 1 else [Tabs("grammar", tabs)]
    return Section("grammar", "Grammar", "Grammar rules", reading, blocks)


def _blocks(found: Violations) -> list[Any]:
    if not found.worst:
        return [Text(f"{found.submission_id} breaks no rule.")]
    note = ""
    if found.wanted > len(found.worst):
        note = f"{found.wanted - len(found.worst)} more rules are broken."
    rows = [_row(rule) for rule in found.worst]
    return [
        table(f"Worst rules: {found.submission_id}", WORST, rows, shown=RULES, note=note),
        *(
            BrokenRule(
                rule.rule,
                f"{told_rule(rule)} · {told_examples(rule)}",
                [dependency_figure(rule, dependency) for dependency in rule.examples],
            )
            for rule in found.worst[:DRAWN]
        ),
    ]


def _row(rule: KeptRule) -> Row:
    return {
        **{name: getattr(rule, name) for name in WORST if hasattr(rule, name)},
        "asks": told_rule(rule),
        "points": None if rule.cost is None else 100 * rule.cost,
    }
