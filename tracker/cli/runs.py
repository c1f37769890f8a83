"""``tracker share log``, ``sync`` and ``promote``: submissions and MLflow's runs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...schema.brief import plural
from ..api import sharing
from .context import Context
from .operation import Shown, Values, operation
from .score import logged

if TYPE_CHECKING:
    import pyarrow as pa

    from ..api.tracker import Tracker
    from ..experiments.promotion import Promotion
    from ..experiments.syncing import SyncReport


log = operation(sharing.log, Shown(notes=lambda report: [logged(report)]), progress="logging")


@dataclass(frozen=True)
class _Synced:
    """What differed between the database and MLflow, and what was done about it."""

    report: SyncReport
    differences: Sequence[tuple[str, str, str]]
    """Submission, difference, and what was done."""

    def rows(self) -> pa.Table | None:
        """Return a row for each difference; None where there is none."""
        import pyarrow as pa

        names = ("submission_id", "difference", "done")
        rows = [dict(zip(names, difference, strict=True)) for difference in self.differences]
        return pa.Table.from_pylist(rows) if rows else None


def _synced(_: Tracker, report: SyncReport, values: Values) -> _Synced:
    def done(what: str) -> str:
        return what if report.log else "–"

    rows = [
        (name, f"tags in MLflow: {', '.join(sorted(tags))}", done("taken"))
        for name, tags in report.tags.items()
    ]
    rows += [
        (name, f"tags in MLflow: {tag}", f"not taken: {reason}")
        for name, reasons in report.refused.items()
        for tag, reason in reasons.items()
    ]
    deleted = done("left deleted" if values["keep_deleted"] else "logged")
    rows += [(name, "run deleted in MLflow", deleted) for name in report.deleted]
    rows += [
        (name, "run missing or out of date", done("logged"))
        for name in report.pending
        if name not in report.deleted
    ]
    for name in report.unknown:
        reason = report.restored.get(name)
        restored = "restored" if reason is None else f"not restored: {reason}"
        rows.append((name, "not in the database", restored if name in report.restored else "–"))
    return _Synced(report, sorted(rows))


def _say_what_was_done(context: Context, _: Tracker, synced: _Synced, __: Values) -> None:
    log = synced.report.log
    context.say(
        f"MLflow: {log.logged} logged, {log.unchanged} unchanged ({log.tracking_uri})"
        if log
        else f"{len(synced.differences)} differences; nothing was written"
    )


sync = operation(
    sharing.sync,
    Shown(read=_synced, rows=_Synced.rows, then=_say_what_was_done),
    analysed=True,
)


def _promoted(result: list[Promotion]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist([vars(one) for one in result])


def _without_run(result: list[Promotion]) -> list[str]:
    missing = sum(one.done == "not logged" for one in result)
    note = f"{plural(missing, 'submission')} without a run yet: 'tracker share log' makes them"
    return [note] if missing else []


promote = operation(sharing.promote, Shown(rows=_promoted, notes=_without_run))
