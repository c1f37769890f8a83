"""Who counts in what is aggregated over submissions: the SQL macro ``who_counts`` defines it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from sr_tracker.queries.catalog import views
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.sqlfile import quoted

Counting = Literal["newest", "iterations", "all"]
COUNTING: tuple[Counting, ...] = get_args(Counting)

SELECTION = "selected_submissions"
"""The view that aggregating views read; a statement with a CTE of its name selects others."""
DEFINITIONS: dict[Counting, str] = {
    "newest": "newest iterations of teams' systems, or of baselines where there are none",
    "iterations": "all iterations of teams' systems, or of baselines where there are none",
    "all": "all that is selected",
}
_KINDS = {"team": "teams' systems", "baseline": "baselines", "human": "the human reference"}


def aggregates(view: str) -> bool:
    """Return whether a view aggregates over the submissions that count."""
    return view != SELECTION and any(
        each.name == view and f" {SELECTION} " in each.text for each in views()
    )


def selecting(submissions: Sequence[str] | None, counting: Counting) -> str:
    """Return the beginning of a statement that aggregates over these submissions, or over all."""
    chosen = "true"
    if submissions is not None:
        names = ", ".join(quoted(submission) for submission in submissions)
        chosen = f"submission_id IN ({names})" if names else "false"
    return (
        f"WITH {SELECTION} AS (\n"  # noqa: S608
        f"    SELECT *, {quoted(counting)} AS counting FROM submission_identity WHERE {chosen}\n"
        ")\n"
    )


def over_selection(view: str) -> str:
    """Return an aggregating view as a subquery, for a statement that begins with ``selecting``.

    Its rows are those of the view, were there no submissions but the selected ones.
    """
    text = next(each.text for each in views() if each.name == view)
    select = text.partition(f"VIEW {view} AS\n")[2].rstrip().removesuffix(";")
    return f"(\n{select}\n) AS {view}"


def counted(
    database: Database,
    submissions: Sequence[str],
    counting: Counting = "newest",
    *,
    having: str = "submission_identity",
    scope: str = "0",
) -> list[str]:
    """Return the ids of those of the submissions that count among those with rows in a view.

    ``scope`` is an SQL expression over the view's columns: rows where it differs do not compete.

    Raises InputError where none counts of several that are there.
    """
    query = (
        f"{selecting(submissions, counting)}SELECT DISTINCT submission_id "  # noqa: S608
        f"FROM {counting_rows(having, scope)} ORDER BY submission_id"
    )
    found = [submission_id for (submission_id,) in database.connection.execute(query).fetchall()]
    if not found and kinds_of(database, submissions) == {"human"}:
        raise InputError(
            f"nothing counts: what is selected is {_KINDS['human']} alone",
            hint="it is no system; '--who-counts all' counts it",
        )
    return found


def counting_rows(rows: str, scope: str) -> str:
    """Return the rows of those that count, as a subquery, for a statement as of ``selecting``.

    ``rows`` is SQL to select from, with the column submission_id; ``scope`` is as of ``counted``.
    """
    return (
        f"(SELECT shown.* FROM {rows} AS shown "  # noqa: S608
        f"JOIN (SELECT submission_id, each AS entry FROM {SELECTION} AS each) "
        f"USING (submission_id) QUALIFY who_counts(entry, {scope}))"
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
    told = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
    if counting == "newest":
        return f"newest iterations of {told}"
    return f"all iterations of {told}"
