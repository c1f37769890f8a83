"""The rows of tables and figures of the papers behind the methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...schema.database import Database
from ...schema.statements import fetch_table, statement
from ..counting import Counting, selecting
from ..errors import Settings, analyses
from ..formats import Rows, plain_rows


def part_rows(
    database: Database,
    name: str,
    submissions: Sequence[str],
    selected: bool,
    counting: Counting,
    settings: Mapping[str, Any],
) -> Rows:
    """Return the rows of the statement of a table or figure, about these submissions.

    ``selected`` is whether they are fewer than all. The statement takes what it names of the
    ``settings`` and of these, ``$submissions`` and ``$selected``.
    """
    text = statement(name)
    parameters = {"submissions": [*submissions], "selected": selected, **settings}
    taken = {key: value for key, value in parameters.items() if f"${key}" in text}
    with selecting(database, submissions, counting):
        return plain_rows(fetch_table(database.connection, text, taken))


def prefer_analyses(database: Database, settings: Settings) -> None:
    """Let the analyses with these settings be the newest, which are those that views show.

    They may have been computed before others that differ in what the views do not tell apart.
    """
    texts = [analysis.settings for analysis in analyses(settings)]
    database.connection.execute(statement("tacl2021_preferred_analyses"), {"settings": texts})
