"""``tracker log``, ``sync`` and ``promote``: submissions and MLflow's runs of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...schema.brief import plural
from ..api import sharing
from .context import Context, command
from .operation import Shown, operation
from .options import analyser_options, option
from .output import Destination, output_options, write_rows
from .score import logged

if TYPE_CHECKING:
    import pyarrow as pa

    from ..experiments.promotion import Promotion
    from ..experiments.syncing import SyncReport


log = operation(sharing.log, Shown(notes=lambda report: [logged(report)]), progress="logging")


@command("sync")
@option("--pull/--no-pull", default=True, help="Take tags from MLflow.")
@option("--keep-deleted", is_flag=True, help="Do not make deleted runs again.")
@option("--restore", is_flag=True, help="Load what the database lacks from its runs.")
@option("--dry-run", is_flag=True, help="Say what differs and stop.")
@option("--tracking-uri", envvar="MLFLOW_TRACKING_URI", help="MLflow store or server.")
@analyser_options
@output_options
def sync(
    context: Context,
    pull: bool,
    keep_deleted: bool,
    restore: bool,
    dry_run: bool,
    tracking_uri: str | None,
    analyser: str,
    model: Path | None,
    to: Destination,
) -> None:
    """Bring tags edited in MLflow into the database, and log what MLflow lacks.

    --restore loads submissions from their runs again, where the treebank is loaded; they are
    scored and analysed.
    """
    import pyarrow as pa

    found = context.tracker(analyser=analyser, model=model).sync(
        pull=pull,
        keep_deleted=keep_deleted,
        restore=restore and not dry_run,
        dry_run=dry_run,
        tracking_uri=tracking_uri,
    )
    rows = _differences(found, keep_deleted=keep_deleted)
    if rows:
        columns = ("submission_id", "difference", "done")
        table = pa.Table.from_pylist([dict(zip(columns, row, strict=True)) for row in rows])
        write_rows(table, to)
    if found.log:
        log = found.log
        context.say(f"MLflow: {log.logged} logged, {log.unchanged} unchanged ({log.tracking_uri})")
    else:
        context.say(f"{len(rows)} differences; nothing was written")


def _differences(found: SyncReport, *, keep_deleted: bool) -> list[tuple[str, str, str]]:
    def told(done: str) -> str:
        return done if found.log else "–"

    rows = [
        (name, f"tags in MLflow: {', '.join(sorted(tags))}", told("taken"))
        for name, tags in found.tags.items()
    ]
    rows += [
        (name, "run deleted in MLflow", told("left deleted" if keep_deleted else "logged"))
        for name in found.deleted
    ]
    rows += [
        (name, "run missing or out of date", told("logged"))
        for name in found.pending
        if name not in found.deleted
    ]
    for name in found.unknown:
        if name not in found.restored:
            done = "–"
        else:
            reason = found.restored[name]
            done = "restored" if reason is None else f"not restored: {reason}"
        rows.append((name, "not in the database", done))
    return sorted(rows)


def _promoted(result: list[Promotion]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist([vars(one) for one in result])


def _without_run(result: list[Promotion]) -> list[str]:
    missing = sum(one.done == "not logged" for one in result)
    told = f"{plural(missing, 'submission')} without a run yet: 'tracker log' makes them"
    return [told] if missing else []


promote = operation(sharing.promote, Shown(rows=_promoted, notes=_without_run))
