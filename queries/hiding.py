"""A copy of a campaign for one team, in which others have scores, but no outputs.

What stays is named here: a table that nobody thought of loses the rows of others.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..schema.database import Database
from ..schema.statements import quoted

SCORES = (
    *("submission", "trial", "analysis", "submission_score", "sentence_score", "slice_score"),
    *("score_interval", "ngram_match", "statistic_match", "part_match", "edit_match"),
    *("edge_outcome", "comparison", "change", "correlation", "projectivity_test"),
    *("error_mining", "suspicion", "suspicion_node"),
    *("human_score", "human_ranking", "human_comparison"),
)
"""Tables about submissions in which there are numbers, and no words of an output."""
ANSWERS = "judge_answer"
"""What models wrote about outputs, whose is not said."""


def hide_outputs(database: Database, systems: Sequence[str], text: str) -> None:
    """Put a text in place of each output of other systems, and remove what else tells its words.

    The human reference's outputs are the references, which stay. Views have then what they have of
    a campaign that was never told more: who reads by whatever statement finds no word of others.
    """
    names = ", ".join(map(quoted, ["", *systems]))  # none: no system is called so
    others = (
        "submission_id IN (SELECT submission_id FROM submission JOIN system USING (system_id) "  # noqa: S608
        f"WHERE system_id NOT IN ({names}) AND system.kind <> 'human')"
    )
    tables = database.connection.execute(
        "SELECT its.table_name FROM duckdb_tables() AS its "
        "JOIN duckdb_columns() USING (table_oid) WHERE column_name = 'submission_id'"
    ).fetchall()
    with database.transaction():
        execute = database.connection.execute
        execute(f"UPDATE output SET text = {quoted(text)} WHERE text IS NOT NULL AND {others}")  # noqa: S608
        for (table,) in tables:
            if table not in (*SCORES, "output"):
                execute(f"DELETE FROM {table} WHERE {others}")  # noqa: S608
        execute(f"DELETE FROM {ANSWERS}")  # noqa: S608
