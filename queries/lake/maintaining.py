"""Looking after a lake: what was committed in small files, and what nobody needs any more."""

from __future__ import annotations

from dataclasses import dataclass

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.lake.making import NAME, note_empty_tables


@dataclass(frozen=True, repr=False)
class Maintenance(Brief):
    """What maintaining a lake did."""

    merged: int
    """Files that were merged into larger ones."""
    snapshots: int
    """States that are forgotten: --as-of cannot show them any more."""
    removed: int
    """Files that nothing refers to any more."""


def maintain(database: Database, *, keep_days: int = 30, dry_run: bool = False) -> Maintenance:
    """Merge small files, forget states older than some days, and remove files of those alone.

    Readers of an older state that is forgotten meanwhile fail: keep longer than they read. Each
    step is a commit of its own. ``dry_run`` only counts states and files that would go.
    """
    connection = database.connection
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
    return Maintenance(merged, snapshots, removed)
