"""``tracker lake publish``, ``fetch`` and ``lake``: a lake that several share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...schema.brief import plural
from ..cli.groups import SuggestingGroup
from ..cli.operation import Shown, Values, operation
from . import operations

if TYPE_CHECKING:
    from ...queries.lake import Maintenance
    from ...schema.lake.copying import Copied
    from ..api.tracker import Tracker

_COPIED = {
    "treebank": "treebanks",
    "submission": "submissions",
    "judgement": "judgements",
    "scoring": "scorings",
    "analysis": "analyses",
}


def _copied(copied: Copied, nothing: str) -> str:
    if not copied.rows:
        return nothing
    rows = copied.rows
    parts = [f"{rows[table]:,} {name}" for table, name in _COPIED.items() if table in rows]
    return ", ".join([*parts, f"{sum(rows.values()):,} rows in all"])


def _published(copied: Copied, dry_run: bool) -> list[str]:
    if dry_run:
        return ["no conflict"]
    return [_copied(copied, "nothing is new: the lake has it all")]


def _maintained(tracker: Tracker, maintenance: Maintenance, values: Values) -> Iterator[str]:
    would = "would be " if values["dry_run"] else ""
    yield (
        f"{plural(maintenance.merged, 'file')} merged, {maintenance.snapshots} states "
        f"{would}forgotten, {plural(maintenance.removed, 'file')} {would}removed"
    )
    findings = tracker.check()
    yield f"{len(findings)} audits: tracker keep check" if findings else "the audits are silent"


publish = operation(operations.publish, Shown(notes=_published), progress="publishing")
fetch = operation(
    operations.fetch,
    Shown(notes=lambda copied: [_copied(copied, "nothing is new: the database has it all")]),
    progress="fetching",
    create=True,
)


lake = SuggestingGroup("lake", help="Look after the lake that --database names.")


operation(operations.maintain, Shown(read=_maintained, notes=lambda lines: lines), group=lake)
