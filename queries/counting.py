"""Who counts in what is aggregated over submissions: the SQL macro ``who_counts`` defines it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, get_args

from ..schema.database import Database
from ..schema.errors import InputError
from ..schema.statements import quoted
from .catalog import current_name, view_file, view_names

Counting = Literal["newest", "iterations", "all"]
COUNTING: tuple[Counting, ...] = get_args(Counting)

SELECTION = "selected_submissions"
"""The view that aggregating views read; variables of the connection tell whom it selects."""
DEFINITIONS: dict[Counting, str] = {
    "newest": "newest iterations of teams' systems, or of baselines where there are none",
    "iterations": "all iterations of teams' systems, or of baselines where there are none",
    "all": "all that is selected",
}
_KINDS = {"team": "teams' systems", "baseline": "baselines", "human": "the human reference"}


def aggregates(view: str) -> bool:
    """Return whether a view aggregates over the submissions that count."""
    name = current_name(view)
    return name in view_names() and SELECTION in view_file(name).reads


@contextmanager
def selecting(
    database: Database, submissions: Sequence[str] | None, counting: Counting = "newest"
) -> Iterator[None]:
    """Let what the block reads aggregate over these submissions, or over all."""
    # Literals: binding a parameter makes DuckDB import pandas, half a second.
    chosen = "NULL"
    if submissions is not None:
        chosen = f"[{', '.join(map(quoted, submissions))}]"
    execute = database.connection.execute
    execute(f"SET VARIABLE {SELECTION} = {chosen}::VARCHAR[]")
    execute(f"SET VARIABLE who_counts = {quoted(counting)}")
    try:
        yield
    finally:
        execute(f"RESET VARIABLE {SELECTION}")
        execute("RESET VARIABLE who_counts")


def counted(
    database: Database,
    submissions: Sequence[str],
    counting: Counting = "newest",
    *,
    having: str = "submission_identity",
    scope: Sequence[str] = (),
) -> list[str]:
    """Return the ids of those of the submissions that count among those with rows in a view.

    ``scope`` names columns of the view: rows where these differ do not compete.

    Raises InputError where none counts of several that are there.
    """
    query = (
        f"SELECT DISTINCT submission_id FROM {counting_rows(having, scope)} "  # noqa: S608
        "ORDER BY submission_id"
    )
    with selecting(database, submissions, counting):
        rows = database.connection.execute(query).fetchall()
    if not rows and kinds_of(database, submissions) == {"human"}:
        raise InputError(
            f"nothing counts: the selection is {_KINDS['human']} alone",
            hint="it is no system; '--who-counts all' counts it",
        )
    return [submission_id for (submission_id,) in rows]


def counting_rows(rows: str, scope: Sequence[str]) -> str:
    """Return the rows of those that count, as a subquery, for a query within ``selecting``.

    ``rows`` is SQL to select from, with the column submission_id; ``scope`` is as of ``counted``.
    """
    return (
        f"(SELECT shown.* FROM {rows} AS shown "  # noqa: S608
        f"JOIN (SELECT submission_id, each AS entry FROM {SELECTION} AS each) "
        f"USING (submission_id) QUALIFY who_counts(entry, row({', '.join(scope) or '0'})))"
    )


def kinds_of(database: Database, submissions: Sequence[str]) -> set[str]:
    """Return of which kinds the systems of submissions are: team, baseline, human."""
    rows = database.connection.execute(
        "SELECT DISTINCT system_kind FROM submission_identity "
        "WHERE list_contains($submissions, submission_id)",
        {"submissions": list(submissions)},
    ).fetchall()
    return {kind for (kind,) in rows}


def who_counts(counting: Counting, kinds: Iterable[str]) -> str:
    """Return who counts in words: 'newest iterations of teams' systems'; ``kinds`` are theirs."""
    names = [name for kind, name in _KINDS.items() if kind in {*kinds}]
    kinds_named = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
    if counting == "newest":
        return f"newest iterations of {kinds_named}"
    return f"all iterations of {kinds_named}"
