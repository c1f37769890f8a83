"""Meaning on pages: its section of reports, and graphs of a sentence beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...queries.exploring import listing
from ...queries.meaning.explain import explain
from ...schema.database import Database
from ...schema.statements import read_rows
from ..pages.drawings import tabbed
from ..pages.lists import heading
from ..pages.sections import section, section_table
from ..show.model import Section, Tab
from .findings import LEGEND, explained_card

if TYPE_CHECKING:
    from ..api.tracker import Tracker
    from ..pages.sentence import Place

EXPLAINED = 6
"""Submissions whose outputs are explained: those with the lowest meaning, …"""
OUTPUTS = 3
"""… and so many outputs of each."""
HOW = ("measure", "parser", "model")
"""Columns that a note stands for where they are the same for all submissions."""


def report_findings(database: Database, submissions: Sequence[str]) -> list[Section]:
    """Return Meaning, Form and both, and what the worst outputs say otherwise, where compared."""
    scores = read_rows(database, "report_mf_scores", submissions=submissions)
    if not scores:
        return []
    lowest = sorted(
        (row for row in scores if row["measure"] == "smatch" and row["meaning"] is not None),
        key=lambda row: (row["meaning"], row["submission_id"]),
    )
    explanations = [
        explain(database, row["submission_id"], parser=row["parser"], limit=OUTPUTS)
        for row in lowest[:EXPLAINED]
    ]
    tabs = [
        Tab(
            of_one.submissions[0],
            [replace(explained_card(output), anchor="") for output in of_one.explained],
        )
        for of_one in explanations
    ]
    alone = [name for name in HOW if len({row[name] for row in scores}) == 1]
    note = " · ".join(f"{heading(name)}: {scores[0][name] or 'none'}" for name in alone)
    table = section_table("report.meaning", scores, hidden=alone, note=note)
    return [section("report.meaning", [table, *tabbed("meaning", tabs)])]


def sentence_findings(tracker: Tracker, place: Place) -> list[Section]:
    """Return the gold graph and that of the chosen output beside each other."""
    (facts,) = listing(
        tracker.database,
        "graph_of_sentence",
        submission=place.chosen,
        sentence_no=place.sentence_no,
    ).rows.to_pylist()
    if not facts["has_graph"]:
        return []
    explanations = explain(tracker.database, place.chosen, sentences=[str(place.sentence_no)])
    cards = [explained_card(output) for output in explanations.explained]
    return [section("sentence.meaning", cards, {"legend": LEGEND})]
