"""The sections of a report over what parsers' analyses tell: grammar rules, and meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ....queries.grammar.violations import Violations, find_violations
from ....queries.meaning.explain import explain
from ....queries.meaning.explained import Explanations
from ....schema.brief import plural
from ....schema.database import Database
from ....schema.statements import Row, read_rows
from ...show.findings.broken_rules import rule_card, rule_table
from ...show.findings.explanation import explained_card
from ...show.model import Column, Paragraph, Section, Tab
from ...show.tables import table
from .sections import tabbed

CHECKED = 12
"""Submissions whose worst rules are shown: those with the lowest score."""
RULES = 15
"""Rules shown of each, and of so many …"""
DRAWN = 4
"""… the links that break them, …"""
LINKS = 2
"""… so many of each."""

GRAMMAR = {
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
    lowest = sorted(scores, key=lambda row: (row["grammar"], row["submission_id"]))[:CHECKED]
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
    shown = table("Grammar", GRAMMAR, checked.scores, shown=25)
    blocks: list[Any] = [shown]
    if len(checked.worst) < len(checked.scores):
        worst = plural(len(checked.worst), "submission")
        note = f"Broken rules of the {worst} with the lowest scores:"
        blocks.append(Paragraph(note))
    tabs = [Tab(found.submission_id, _blocks(found)) for found in checked.worst]
    blocks += tabbed("grammar", tabs)
    return Section("grammar", "Grammar", "Grammar rules", reading, blocks)


def _blocks(found: Violations) -> list[Any]:
    if not found.worst:
        return [Paragraph(f"{found.submission_id} breaks no rule.")]
    cards = [rule_card(rule) for rule in found.worst[:DRAWN]]
    return [rule_table(found, RULES), *cards]


EXPLAINED = 6
"""Submissions whose outputs are explained: those with the lowest meaning, …"""
OUTPUTS = 3
"""… and so many outputs of each."""

MEANING = {
    "submission_id": Column("submission", "text"),
    "meaning": Column("Meaning", meaning="F1 of triples, 0 to 1", bar=True),
    "precision": Column("precision", meaning="share of the outputs' triples that match"),
    "recall": Column("recall", meaning="share of the gold graphs' triples that match"),
    "upper_bound": Column("bound", meaning="F1 of the parsed references: what is within reach"),
    "form": Column("Form", meaning="share of outputs that are well formed, 0 to 1", bar=True),
    "mf_1": Column("MF", meaning="Meaning and Form alike", bar=True),
    "mf_05": Column("MF 0.5", meaning="Meaning counts more"),
    "sentences": Column("sentences", meaning="sentences compared"),
    "without_graph": Column("no graph", meaning="those whose output has no graph"),
    "measure": Column("measure", "text"),
    "parser": Column("parser", "text"),
    "model": Column("language model", "text"),
}
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
    reading = (
        "Does the output say what the graph says? Meaning is the F1 of the triples that a parser's "
        "graph of the output shares with the gold graph; Form is the share of outputs that a "
        "language model finds about as good as the references; MF is their harmonic mean. A "
        "parser's error looks like one of the system: compare with the bound, the parses of the "
        "references."
    )
    tabs = [
        Tab(
            found.submissions[0],
            [replace(explained_card(each), anchor="") for each in found.explained],
        )
        for found in compared.explained
    ]
    alone = [name for name in HOW if len({row[name] for row in compared.scores}) == 1]
    columns = {name: column for name, column in MEANING.items() if name not in alone}
    told = [f"{MEANING[name].name}: {compared.scores[0][name] or 'none'}" for name in alone]
    shown = table("Meaning and form", columns, compared.scores, shown=25, note=" · ".join(told))
    blocks = [shown, *tabbed("meaning", tabs)]
    return Section("meaning", "Meaning", "Meaning and form", reading, blocks)
