"""Links of outputs that break grammar rules, within their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement


@dataclass(frozen=True)
class BrokenDependency:
    """A dependency that breaks a rule, in the output it stands in."""

    sentence_no: int
    sent_id: str | None
    forms: Sequence[str]
    """The words of the output."""
    dependent: int
    """Which of them is the dependent, counted from 1."""
    head: int
    dependent_value: str | None
    """Its value of the rule's feature; None where it has none, or the rule is about order."""
    head_value: str | None
    reference: str | None
    """The reference sentence; None where the treebank hides its text."""


def read_examples(
    database: Database, submission_id: str, treebank_id: str, rules: Sequence[str], examples: int
) -> dict[str, list[BrokenDependency]]:
    """Return up to so many dependencies that break each of these rules, by rule.

    Links of two words that are not among a rule's examples yet come first, short outputs before
    long ones. The view ``checked_dependency`` must be there.
    """
    rows = database.connection.execute(
        statement("grammar_broken_dependencies"),
        {
            "submission": submission_id,
            "treebank": treebank_id,
            "rules": list(rules),
            "examples": examples,
        },
    ).fetchall()
    found: dict[str, list[BrokenDependency]] = {}
    for rule, *values in rows:
        found.setdefault(rule, []).append(BrokenDependency(*values))
    return found
