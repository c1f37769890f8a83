"""Looking after a lake: its version, its files and states, rows that it holds twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ...schema import TOOL_VERSION
from ...schema.address import LakeAddress
from ...schema.brief import Brief
from ...schema.database import WAIT_SECONDS, Database, say_nothing
from ...schema.keys import natural_keys
from ...schema.lake import NAME, note_empty_tables
from ...schema.lake.opening import open_lake
from ...schema.sharing import unreachable_when_lost
from ..catalog import install


@dataclass(frozen=True, repr=False)
class Upgrade(Brief):
    """Whose views a lake had and has."""

    before: str | None
    """The version of sr-tracker; None where there were none."""
    now: str


def upgrade(
    lake: LakeAddress,
    *,
    wait_seconds: float = WAIT_SECONDS,
    say: Callable[[str], None] = say_nothing,
) -> Upgrade:
    """Bring a lake's tables and views to this tracker, for all who share it.

    Raises DatabaseUnavailableError where it cannot be reached or written to, or has tables of a
    newer tracker.
    """
    with (
        unreachable_when_lost(lake),
        open_lake(lake, create=False, upgrade=True, wait_seconds=wait_seconds, say=say) as database,
    ):
        row = database.connection.execute("SELECT tool FROM catalog").fetchone()
        install(database)
    return Upgrade(row[0] if row else None, TOOL_VERSION)


@dataclass(frozen=True, repr=False)
class Maintenance(Brief):
    """What maintaining a lake did."""

    merged: int
    """Files that were merged into larger ones."""
    snapshots: int
    """States that are forgotten: --as-of cannot show them any more."""
    removed: int
    """Files of forgotten states alone."""
    orphans: int
    """Files of commits that never were: of who was killed, or refused."""
    doubles: Mapping[str, int] = field(default_factory=dict)
    """Rows by table that had the key of a newer one, where the lake was repaired."""


def maintain(
    database: Database, *, keep_days: int = 30, repair: bool = False, dry_run: bool = False
) -> Maintenance:
    """Merge small files, forget states older than some days, and remove files of those alone.

    Files of no state go as well, a day after they were written: a commit may be on its way. Readers
    of an older state that is forgotten meanwhile fail: keep longer than they read. Each step is a
    commit of its own. To ``repair`` is the first: of rows with one key the one stays that the
    newest commit wrote. ``dry_run`` only counts rows, states and files that would go.
    """
    connection = database.connection
    doubles = _remove_doubles(database, dry_run=dry_run) if repair else {}
    tried = ", dry_run => true" if dry_run else ""
    older = f"older_than => now() - INTERVAL {keep_days:d} DAY"

    def rows(call: str) -> int:
        return len(connection.execute(f"FROM {call}").fetchall())

    with database.turn():
        if not dry_run:
            note_empty_tables(connection)
        merged = 0 if dry_run else rows(f"ducklake_merge_adjacent_files('{NAME}')")
        snapshots = rows(f"ducklake_expire_snapshots('{NAME}', {older}{tried})")
        removed = rows(f"ducklake_cleanup_old_files('{NAME}', {older}{tried})")
        abandoned = f"older_than => now() - INTERVAL {max(keep_days, 1):d} DAY"
        orphans = rows(f"ducklake_delete_orphaned_files('{NAME}', {abandoned}{tried})")
    return Maintenance(merged, snapshots, removed, orphans, doubles)


def _remove_doubles(database: Database, *, dry_run: bool) -> dict[str, int]:
    """Remove rows with the key of a newer row, in one commit; return how many, by table."""
    counts = {}
    with database.transaction(read_only=dry_run) as connection:
        for table, keys in natural_keys().items():
            key = ", ".join(keys)
            doubles = f"""
                SELECT rowid FROM {table}
                SEMI JOIN (SELECT {key} FROM {table} GROUP BY ALL HAVING count(*) > 1) USING ({key})
                QUALIFY row_number() OVER (
                    PARTITION BY {key} ORDER BY snapshot_id DESC, rowid DESC
                ) > 1
            """  # noqa: S608
            if dry_run:
                query = f"SELECT count(*) FROM ({doubles})"  # noqa: S608
            else:
                query = f"DELETE FROM {table} WHERE rowid IN ({doubles})"  # noqa: S608
            (counts[table],) = connection.execute(query).fetchone() or (0,)
    return {table: count for table, count in counts.items() if count}
