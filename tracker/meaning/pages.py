"""Meaning on pages: graphs of a sentence beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...queries.exploring import listing
from ...queries.meaning.explain import explain
from ..pages.sections import section
from ..show.model import Section
from .findings import LEGEND, explained_card

if TYPE_CHECKING:
    from ..api.tracker import Tracker
    from ..pages.sentence import Place


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
