"""Removing what was loaded, and everything that depends on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from ...schema import TOOL_VERSION
from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import check_choices
from ...schema.files import content_hash
from ...schema.iterations import resolve_submission
from ...schema.keys import INGESTED, Reference, links, natural_keys, owners, statistics_of_campaigns
from ...schema.names import resolve_name, resolve_treebank
from ...schema.staging import Load, commit
from ...schema.statements import statement
from ...schema.temporary import temporary

KINDS = ("submission", "system", "treebank", "campaign")
"""What can be removed, renamed and tagged by its name."""
TARGETS = {
    "scoring": "CASE WHEN contains(target, '/') THEN 'submission' ELSE 'treebank' END",
    "tag": "kind",
    "ingestion": "CASE "
    + " ".join(
        f"WHEN list_contains({[*kinds]}, kind) THEN '{owner}'" for owner, kinds in INGESTED.items()
    )
    + " END",
}
"""Tables with a column ``target``, and in SQL of what kind that is."""
TARGET_ID = {
    "ingestion": "CASE WHEN kind IN ('output_graphs', 'reference_graphs', 'alternative_reference', "
    "'challenge', 'overlap') THEN split_part(target, ' ', 1) "
    f"WHEN list_contains({[*INGESTED['campaign']]}, kind) "
    "THEN split_part(target, ':', 1) ELSE target END"
}
"""In SQL the id that ``target`` begins with, for tables where it is not the whole."""


@dataclass(frozen=True, repr=False)
class Change(Brief):
    """What was done, or would be, to what has a name."""

    deed: str
    kind: str
    target: str
    """The id of what it was done to."""
    rows: Mapping[str, int] = field(default_factory=dict)
    """How many rows it removed or changed, by table."""
    notes: Sequence[str] = ()
    """What else there is to know."""
    done: bool = True
    """False where it was only tried."""
    former: str = ""
    """The id before, of what was renamed."""


class _OnlyTried(Exception):  # noqa: N818
    """Ends a transaction that was not to last."""


def resolve(
    database: Database,
    kind: str,
    name: str,
    *,
    treebank: str | None = None,
    campaign: str | None = None,
) -> str:
    """Return the id that a name of one of KINDS stands for; the others narrow a submission's.

    Raises UnknownNameError for what is not there, InputError where several are meant and for
    another kind.
    """
    check_choices(("kind of thing", kind, KINDS))
    if kind == "submission":
        return resolve_submission(database, name, treebank=treebank, campaign=campaign)
    if kind == "treebank":
        return resolve_treebank(database, name)
    return resolve_name(database, kind, name)


def count_rows(database: Database) -> dict[str, int]:
    """Return the number of rows of each table."""
    counts = (f"SELECT '{table}', count(*) FROM {table}" for table in natural_keys())  # noqa: S608
    query = " UNION ALL ".join(counts)
    return dict(database.connection.execute(query).fetchall())


@contextmanager
def all_or_nothing(database: Database, *, dry_run: bool) -> Iterator[None]:
    """Run a block as one transaction, which ``dry_run`` takes back at its end.

    The temporary tables of the block are gone after it.
    """
    with suppress(_OnlyTried), database.transaction(), temporary(database):
        yield
        if dry_run:
            raise _OnlyTried


def record(database: Database, change: Change, description: str = "") -> None:
    """Record a change among the ingestions; ``description`` is the text beside its name."""
    target = f"{change.kind} {change.target}"
    commit(
        database,
        Load(
            kind=change.deed,
            target=target,
            source=description,
            sha256=content_hash(change.deed, target, description),
            records=sum(change.rows.values()),
            rows={},
        ),
    )


def remove(database: Database, kind: str, name: str, *, dry_run: bool = False) -> Change:
    """Remove what a name stands for, with all rows that depend on it, and return how many.

    Submissions go with their campaign, system or treebank; signatures and rule sets with their
    treebank; scores with their signature. What was developed from a removed submission is then
    developed from its parent. Where people judged what goes, all statistics over the campaign's
    judgements go too, for they rest on it, with the analyses of the scores that were made of them.
    Systems, signatures and campaigns go that nothing refers to any more. One transaction, recorded
    among the ingestions; ``dry_run`` takes it back. What was removed does not come back with rows
    of another database, unless that is asked for: the table ``removal`` has it.

    Raises UnknownNameError for what is not there, InputError where several are meant.
    """
    target = resolve(database, kind, name)
    connection = database.connection
    with all_or_nothing(database, dry_run=dry_run):
        before = count_rows(database)
        connection.execute(
            "CREATE TEMP TABLE removed AS SELECT $kind AS kind, $target AS id",
            {"kind": kind, "target": target},
        )
        _add_dependents(database)
        relinked = _relink(database)
        connection.execute(statement("judged_campaigns_of_removed"))
        connection.execute(statement("analyses_of_outdated_human_scores"))
        unused = _unused()
        connection.execute(f"CREATE TEMP TABLE unused_before AS {unused}")
        _remove_statistics(database)
        _remove_rows(database)
        connection.execute("DELETE FROM removed")
        connection.execute(f"INSERT INTO removed {unused} EXCEPT FROM unused_before")
        _remove_rows(database)
        connection.execute(statement("renumbered_judgements"))
        after = count_rows(database)
        rows = {
            table: before[table] - after[table] for table in before if after[table] < before[table]
        }
        campaigns = connection.execute("SELECT campaign_id FROM judged_campaign ORDER BY ALL")
        notes = _notes(relinked, [campaign_id for (campaign_id,) in campaigns.fetchall()])
        change = Change("remove", kind, target, rows, notes, done=not dry_run)
        record(database, change)
    return change


def _add_dependents(database: Database) -> None:
    """Add to the table ``removed`` what cannot be without what is in it, until nothing is new."""
    connection = database.connection
    dependents = " UNION ".join(
        [
            *(
                f"SELECT '{link.table}' AS kind, {link.table}_id AS id FROM {link.table} "  # noqa: S608
                f"WHERE {_goes(link)}"
                for link in links()
                if link.table in owners() and link.table != link.kind
            ),
            statement("signatures_of_removed_rule_sets").strip().removesuffix(";"),
            statement("trials_of_removed").strip().removesuffix(";"),
        ]
    )
    count = 0
    while True:
        connection.execute(f"INSERT INTO removed ({dependents}) EXCEPT FROM removed")
        (total,) = connection.execute("SELECT count(*) FROM removed").fetchone() or (0,)
        if total == count:
            return
        count = total


def _relink(database: Database) -> list[str]:
    """Let what was developed from removed rows name their nearest ancestor that stays.

    Returns the ids of what was changed.
    """
    connection = database.connection
    relinked = []
    for link in links():
        if link.is_parent:
            key = f"{link.table}_id"
            connection.execute(
                "CREATE OR REPLACE TEMP TABLE relinked AS "  # noqa: S608
                f"WITH RECURSIVE gone AS (SELECT id FROM removed WHERE kind = '{link.kind}'), "
                f"line AS (SELECT {key} AS child, {link.column} AS parent FROM {link.table} "
                f"WHERE {link.column} IN (FROM gone) AND {key} NOT IN (FROM gone) UNION "
                f"SELECT child, ancestor.{link.column} FROM line JOIN {link.table} AS ancestor "
                f"ON ancestor.{key} = parent WHERE parent IN (FROM gone)) "
                "FROM line WHERE parent IS NULL OR parent NOT IN (FROM gone)"
            )
            connection.execute(
                f"UPDATE {link.table} SET {link.column} = parent "  # noqa: S608
                f"FROM relinked WHERE child = {key}"
            )
            relinked += connection.execute("SELECT child FROM relinked").fetchall()
    return sorted(name for (name,) in relinked)


def _remove_statistics(database: Database) -> None:
    """Remove what rests on judgements of removed submissions, besides the rows that name them."""
    execute = database.connection.execute
    for reference in links():
        if reference.table in statistics_of_campaigns() and reference.kind == "campaign":
            execute(
                f"DELETE FROM {reference.table} "  # noqa: S608
                f"WHERE {reference.column} IN (SELECT campaign_id FROM judged_campaign)"
            )
    for table, key in natural_keys().items():
        if {"signature_id", "submission_id"} <= {*key}:
            execute(
                f"DELETE FROM {table} "  # noqa: S608
                "WHERE (signature_id, submission_id) IN (FROM outdated_analysis)"
            )
    execute(statement("remove_outdated_human_scores"))


def _remove_rows(database: Database) -> None:
    """Delete all rows that refer to what is in the table ``removed``, and remember that."""
    execute = database.connection.execute
    execute(statement("remember_removed"), {"tool": TOOL_VERSION})
    for reference in links():
        if not reference.is_parent:
            execute(f"DELETE FROM {reference.table} WHERE {_goes(reference)}")  # noqa: S608
    for table, kind in TARGETS.items():
        target = TARGET_ID.get(table, "target")
        execute(f"DELETE FROM {table} WHERE ({kind}, {target}) IN (FROM removed)")  # noqa: S608


def _goes(reference: Reference) -> str:
    return f"{reference.column} IN (SELECT id FROM removed WHERE kind = '{reference.kind}')"  # noqa: S608


def _unused() -> str:
    """Return the query for rows of owners() that nothing refers to, as kind and id."""
    queries = []
    for owner in owners():
        users = [
            reference
            for reference in links()
            if reference.kind == owner and reference.table != owner
        ]
        if users:
            unused = " AND ".join(
                f"{owner}_id NOT IN (SELECT {reference.column} FROM {reference.table} "  # noqa: S608
                f"WHERE {reference.column} IS NOT NULL)"
                for reference in users
            )
            rows = f"SELECT '{owner}' AS kind, {owner}_id AS id FROM {owner}"  # noqa: S608
            queries.append(f"{rows} WHERE {unused}")
    return " UNION ALL ".join(queries)


def _notes(relinked: Sequence[str], campaigns: Sequence[str]) -> list[str]:
    notes = [f"{name} gets the parent of its parent as its parent" for name in relinked]
    notes += [
        f"people judged what goes: what was computed of the judgements of {campaign} goes too; "
        f"'tracker human --campaign {campaign}' and 'tracker analyse' compute it again"
        for campaign in campaigns
    ]
    return notes
