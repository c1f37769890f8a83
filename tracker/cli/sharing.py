"""``tracker report``, ``site``, ``plot`` and ``export``; ``log``, ``sync`` and ``promote``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...schema.brief import plural
from ..api import papers, sharing, tokens
from .context import Context
from .operation import Shown, Values, operation
from .output import state_of

if TYPE_CHECKING:
    import pyarrow as pa

    from ..api.tracker import Tracker
    from ..experiments import LogReport
    from ..experiments.promotion import Promotion
    from ..experiments.syncing import SyncReport
    from ..hub import Dataset
    from ..pages.report import Written
    from ..papers import Reproduced
    from ..show.charts.saving import Plot


def _reported(written: Written, png: Path | None = None) -> str:
    charts = f", {len(written.charts)} charts in {png}" if png else ""
    return f"{written.page}: {plural(written.submissions, 'submission')}{charts}"


def _made(pages: int, folder: Path) -> str:
    return f"{folder / 'index.html'}: {plural(pages, 'page')}"


def _exported(
    result: int | Dataset,
    target: Path,
    treebank: Sequence[str] = (),
    submission: Sequence[str] = (),
) -> str:
    if isinstance(result, int):
        return f"{target}: {result} {'sentences' if treebank or submission else 'files'}"
    rows = sum(result.tables.values())
    written = f"{plural(len(result.tables), 'table')}, {rows:,} rows"
    return f"{target}: {state_of(result.changed, written)} ({result.fingerprint[:23]}…)"


def _unlicensed(result: int | Dataset) -> list[str]:
    if isinstance(result, int) or not result.unlicensed:
        return []
    names = ", ".join(result.unlicensed)
    tagging = f"tracker keep tag treebank {result.unlicensed[0]} license=cc-by-sa-4.0"
    return [f"nothing says the licence of {names}: ask, and say it by --license or '{tagging}'"]


def _summaries(made: Sequence[Reproduced]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist([part.summary() for part in made])


def _short_summaries(made: Sequence[Reproduced]) -> pa.Table:
    """Return a narrow table: README.md has the captions, and why numbers differ."""
    import pyarrow as pa

    names = ("part", "rows", "published", "equal")
    rows = [part.summary() | {"not_made": part.reason or None} for part in made]
    return pa.Table.from_pylist(
        [{name: row[name] for name in (*names, "not_made")} for row in rows]
    )


def _shown_in(made: Sequence[Reproduced], paper: str, out: Path) -> str:
    complete = sum(not part.reason for part in made)
    return f"{Path(out, paper, 'README.md')}: {complete} of {plural(len(made), 'part')} made"


def _drawn(plot: Plot, kind: str) -> str:
    """Write a chart that was not written yet, and say where it is."""
    return f"{plot.path or plot.save(f'{kind}.png')} written"


def _made_for(_: str, team: str, file: Path = tokens.TOKENS) -> str:
    return (
        f"{team} sends this as TRACKER_TOKEN; {file} has a hash of it, for 'tracker serve --tokens'"
    )


token = operation(tokens.token, Shown(lines=lambda token: [token], done=_made_for))
report = operation(sharing.report, Shown(done=_reported), threads=1)
site = operation(sharing.site, Shown(done=_made), progress="pages")
plot = operation(sharing.plot, Shown(done=_drawn))
export = operation(sharing.export, Shown(notes=_unlicensed, done=_exported), progress="exporting")
reproduce = operation(
    papers.reproduce,
    Shown(rows=_summaries, on_terminal=_short_summaries, done=_shown_in),
    progress="reproducing",
)


def _logged(report: LogReport) -> list[str]:
    from .computing import logged

    return [logged(report)]


log = operation(sharing.log, Shown(notes=_logged), progress="logging")


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
