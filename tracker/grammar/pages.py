"""Grammar on pages: the rules that an output breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...queries.exploring import listing
from ...queries.grammar.violations import find_violations
from ...queries.numbers import number
from ..pages.sections import section
from ..show.model import Section
from .findings import rule_card

if TYPE_CHECKING:
    from ..api.tracker import Tracker
    from ..pages.sentence import Place

RULES_OF_SENTENCE, LINKS_OF_SENTENCE = 20, 5
"""Broken rules that the page of a sentence shows, and links of each."""


def sentence_findings(tracker: Tracker, place: Place) -> list[Section]:
    """Return the grammar rules that the chosen output breaks, each with the words that do."""
    (facts,) = listing(
        tracker.database,
        "grammar_of_sentence",
        submission=place.chosen,
        sentence_no=place.sentence_no,
    ).rows.to_pylist()
    if not facts["breaks_rules"]:
        return []
    violations = find_violations(
        tracker.database,
        place.chosen,
        limit=RULES_OF_SENTENCE,
        examples=LINKS_OF_SENTENCE,
        sentence_no=place.sentence_no,
    )
    words = {
        "submission": place.chosen,
        "kept": number(violations.links - violations.violated),
        "links": number(violations.links),
        "rules": violations.rule_set_id,
    }
    return [section("sentence.rules", [rule_card(rule) for rule in violations.worst], words)]
