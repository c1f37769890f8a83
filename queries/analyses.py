"""What is computed once per treebank: complexity, edges and lemmas."""

from __future__ import annotations

from collections.abc import Sequence

from ..schema import TOOL_VERSION
from ..schema.database import Database
from ..schema.engine import one_thread
from ..schema.statements import read_tuples, statement
from ..schema.temporary import temporary
from .functions.sql_function import SqlFunction, register
from .functions.text import normalised_text
from .functions.tree import sentence_complexity, strip_punctuation

ANALYSIS = "treebank_analysis"
ANALYSIS_VERSION = f"{ANALYSIS}-1"
TABLES = ("sentence_complexity", "reference_edge", "reference_edges", "reference_lemmas")

FUNCTIONS = (
    SqlFunction("normalised_text", normalised_text, ["VARCHAR"], "VARCHAR"),
    SqlFunction(
        "sentence_complexity",
        sentence_complexity,
        ["INTEGER[]", "BOOLEAN[]", "VARCHAR"],
        "STRUCT(depth INTEGER, length INTEGER, mdd DOUBLE, mfs DOUBLE, mfw DOUBLE, "
        "arity DOUBLE, projective BOOLEAN, undefined_reason VARCHAR)",
    ),
    SqlFunction("strip_punctuation", strip_punctuation, ["INTEGER[]", "BOOLEAN[]"], "INTEGER[]"),
)


def pending_treebanks(database: Database) -> list[str]:
    """Return the treebanks that are not analysed yet by this version of the analyses."""
    rows = read_tuples(database, "pending_treebanks", version=ANALYSIS_VERSION)
    return [treebank_id for (treebank_id,) in rows]


def analyse_treebanks(database: Database, treebank_ids: Sequence[str]) -> None:
    """Compute and store everything that depends on these treebanks alone, in one transaction."""
    if not treebank_ids:
        return
    connection = database.connection
    register(connection, FUNCTIONS)
    with one_thread(database), database.transaction(), temporary(database):
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE pending_treebank AS SELECT unnest(?) AS treebank_id",
            [list(treebank_ids)],
        )
        for table in TABLES:
            connection.execute(
                f"DELETE FROM {table} WHERE treebank_id IN (FROM pending_treebank)"  # noqa: S608
            )
        for name in ("pending_trees", "analyse_complexity", "analyse_edges"):
            connection.execute(statement(name))
        connection.execute(
            "INSERT INTO scoring SELECT treebank_id, ?, ?, sha256, ?, now(), next_revision() "
            "FROM treebank JOIN pending_treebank USING (treebank_id)",
            [ANALYSIS, ANALYSIS_VERSION, TOOL_VERSION],
        )
