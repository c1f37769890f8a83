"""Grammar on pages: its section of reports, and the rules that an output breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...queries.exploring import listing
from ...queries.grammar.violations import Violations, find_violations
from ...queries.numbers import number
from ...queries.reading import read_about
from ...schema.brief import plural
from ...schema.database import Database
from ..pages.drawings import tabbed
from ..pages.sections import section, section_table
from ..show.model import Block, Paragraph, Section, Tab
from .findings import rule_card, rule_table

if TYPE_CHECKING:
    from ..api.tracker import Tracker
    from ..pages.sentence import Place

CHECKED = 12
"""Submissions whose worst rules are shown: those with the lowest score."""
RULES = 15
"""Rules shown of each, and of so many …"""
DRAWN = 4
"""… the links that break them, …"""
LINKS = 2
"""… so many of each."""
RULES_OF_SENTENCE, LINKS_OF_SENTENCE = 20, 5
"""Broken rules that the page of a sentence shows, and links of each."""


def report_findings(database: Database, submissions: Sequence[str]) -> list[Section]:
    """Return how well-formed outputs are by rules, and which they break; nothing without checks."""
    order = "treebank_id, grammar DESC, submission_id"
    rows = read_about(database, "grammar_scores", submissions, order).to_pylist()
    scores = [row for row in rows if row["grammar"] is not None]
    if not scores:
        return []
    lowest = sorted(scores, key=lambda row: (row["grammar"], row["submission_id"]))[:CHECKED]
    worst = [
        find_violations(database, row["submission_id"], limit=RULES, examples=LINKS)
        for row in lowest
    ]
    blocks: list[Block] = [section_table("report.grammar", scores)]
    if len(worst) < len(scores):
        several = plural(len(worst), "submission")
        blocks.append(Paragraph(f"Broken rules of the {several} with the lowest scores:"))
    tabs = [Tab(violations.submission_id, _blocks(violations)) for violations in worst]
    return [section("report.grammar", [*blocks, *tabbed("grammar", tabs)])]


def _blocks(violations: Violations) -> list[Block]:
    if not violations.worst:
        return [Paragraph(f"{violations.submission_id} breaks no rule.")]
    cards = [rule_card(rule) for rule in violations.worst[:DRAWN]]
    return [rule_table(violations, RULES), *cards]


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
