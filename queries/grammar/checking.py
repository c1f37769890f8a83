"""Which dependencies of analysed texts break which rules, within a block of ``temporary``."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import hold


def check_links(
    database: Database, rule_set_id: str, targets: pa.Table, *, references: bool = False
) -> None:
    """Make the temporary view ``checked_dependency``: a row per rule and dependency it applies to.

    ``targets`` has a column ``target``: submissions, or treebanks where ``references`` is true;
    its other columns are in the temporary table ``grammar_target``.
    """
    hold(database, "grammar_target", targets)
    _check(
        database, rule_set_id, "grammar_reference_words" if references else "grammar_output_words"
    )


def check_words(database: Database, rule_set_id: str, words: pa.Table) -> None:
    """Make the temporary view ``checked_dependency`` for words that the database does not hold.

    ``words`` has the columns target, sentence_no, token_no, upos, feats, head and deprel.
    """
    hold(database, "grammar_word_at_hand", words)
    _check(database, rule_set_id, "grammar_words_at_hand")


def _check(database: Database, rule_set_id: str, words: str) -> None:
    connection = database.connection
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE rule_at_hand AS FROM grammar_rule WHERE rule_set_id = ?",
        [rule_set_id],
    )
    for name in (words, "grammar_rule_dependents", *CHECK):
        connection.execute(statement(name))


CHECK: Sequence[str] = ("grammar_dependencies", "grammar_verdicts", "grammar_checked_dependencies")
"""Statements that judge the dependencies of ``grammar_dependent`` by ``rule_at_hand``."""
