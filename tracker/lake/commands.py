"""``tracker lake publish``, ``fetch`` and ``lake``: a lake that several share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...schema.brief import plural
from ..cli.groups import SuggestingGroup
from ..cli.operation import operation
from ..cli.shown import Asks, Shown
from . import operations

if TYPE_CHECKING:
    from ...queries.lake.maintenance import Maintenance
    from ...schema.lake.copying import Copied

_COPIED = ("treebank", "submission", "judgement", "scoring", "analysis")
_LEFT_OUT_SHOWN = 5
_LAKE_HAS_ALL = "nothing is new: the lake has it all"
_DATABASE_HAS_ALL = "nothing is new: the database has it all"


def _copied(copied: Copied, nothing: str) -> list[str]:
    rows = copied.rows
    parts = [plural(rows[table], table) for table in _COPIED if table in rows]
    if rows:
        nothing = ", ".join([*parts, f"{plural(sum(rows.values()), 'row')} in all"])
    return [nothing, *_left_out(copied)]


def _left_out(copied: Copied) -> list[str]:
    """Say what did not come because it was removed: the first few, and how to bring it."""
    if not copied.left_out:
        return []
    first, others = copied.left_out[:_LEFT_OUT_SHOWN], copied.left_out[_LEFT_OUT_SHOWN:]
    more = [f"and {len(others)} more"] if others else []
    return [f"left out: {'; '.join([*first, *more])} (--bring-back copies it all the same)"]


def _published(copied: Copied, dry_run: bool) -> list[str]:
    if dry_run:
        return ["no conflict", *_left_out(copied)]
    return _copied(copied, "nothing else is new" if copied.left_out else _LAKE_HAS_ALL)


def _fetched(copied: Copied) -> list[str]:
    return _copied(copied, "nothing else is new" if copied.left_out else _DATABASE_HAS_ALL)


def _to_maintain(maintenance: Maintenance, dry_run: bool) -> list[str]:
    """Say what would be done, where it is only tried."""
    return _maintained(maintenance, would="would be ") if dry_run else []


def _maintained(maintenance: Maintenance, would: str = "") -> list[str]:
    removed = (
        f"{plural(maintenance.removed, 'file')} {would}removed, and "
        f"{plural(maintenance.orphans, 'file')} of unfinished commits"
    )
    states = f"{plural(maintenance.snapshots, 'state')} {would}forgotten"
    merged = [] if would else [f"{plural(maintenance.merged, 'file')} merged"]
    lines = [", ".join([*merged, states, removed])]
    if maintenance.doubles:
        total = plural(sum(maintenance.doubles.values()), "row")
        tables = ", ".join(f"{table} {rows:,}" for table, rows in maintenance.doubles.items())
        lines.append(f"{total} with the key of a newer one {would}removed: {tables}")
    return lines


def _repairing(maintenance: Maintenance) -> str:
    """Return what is asked before rows go; nothing where none do."""
    return "Remove these rows?" if maintenance.doubles else ""


publish = operation(operations.publish, Shown(notes=_published), progress="publishing")
fetch = operation(
    operations.fetch,
    Shown(notes=_fetched),
    progress="fetching",
    create=True,
)


lake = SuggestingGroup("lake", help="Look after the lake that --database names.")


operation(
    operations.upgrade,
    Shown(notes=lambda done: [f"the lake is one of sr-tracker {done.now} (before: {done.before})"]),
    group=lake,
)
operation(
    operations.maintain,
    Shown(
        notes=_to_maintain,
        asks=Asks(_repairing),
        done=lambda maintenance: "; ".join(_maintained(maintenance)),
    ),
    group=lake,
)
