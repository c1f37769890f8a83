"""The section of a report over meaning: scores of graphs and form, and outputs explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sr_tracker.queries.meaning.explain import explain
from sr_tracker.queries.meaning.explained import Explanations
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import Row, read_rows
from sr_tracker.tracker.show.findings.explanation import explained_card
from sr_tracker.tracker.show.model import Column, Section, Tab, Tabs
from sr_tracker.tracker.show.tables import table

SUBMISSIONS = 6
"""Submissions whose outputs are explained: those with the lowest meaning, …"""
OUTPUTS = 3
"""… and so many outputs of each."""

SCORES = {
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
        for row in lowest[:SUBMISSIONS]
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
    columns = {name: column for name, column in SCORES.items() if name not in alone}
    told = [f"{SCORES[name].name}: {compared.scores[0][name] or 'none'}" for name in alone]
    shown = table("Meaning and form", columns, compared.scores, shown=25, note=" · ".join(told))
    outputs = tabs[0].blocks if len(tabs) == 1 else [Tabs("meaning", tabs)] if tabs else []
    return Section("meaning", "Meaning", "Meaning and form", reading, [shown, *outputs])
