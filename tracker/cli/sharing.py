"""Commands that show and share: the demo, the explorer, pages, pictures, files and MLflow."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.parameters import parse_moment
from ..api import computing, sharing, tokens
from .context import Context, command
from .operation import operation
from .options import FILE, FOLDER, option
from .output import state_of
from .shown import Shown, Values

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
    return [f"the licence of {names} is not known: ask, and give it by --license or '{tagging}'"]


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
    computing.reproduce,
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


@command("demo")
@option(
    "--folder",
    type=FOLDER,
    default=Path("demo"),
    help="Folder for the database, the MLflow store and the page of what to try next.",
)
def demo(context: Context, folder: Path) -> None:
    """Load, score, show and log the sample campaign: three years, two languages, five systems."""
    from ..demo import run_demo

    run_demo(folder, context)


@command("serve")
@option("--host", default="127.0.0.1", help="Address to listen at.")
@option("--port", type=click.IntRange(0, 65535), default=8127, help="0: any free one.")
@option(
    "--open",
    "opened",
    is_flag=False,
    flag_value="",
    metavar="[SUBMISSION]",
    help="Open the pages in the browser, or the page of this submission.",
)
@option(
    "--write",
    is_flag=True,
    help="Let notes and tags be changed on the pages; with --tokens, let teams submit.",
)
@option("--tokens", type=FILE, help="Let in only those with the token of a team in this file.")
@option(
    "--hidden-until",
    metavar="DATE",
    help="With --tokens: until this date teams see others' scores, not their outputs.",
)
@option(
    "--mlflow",
    metavar="ADDRESS",
    envvar="TRACKER_MLFLOW",
    help="Address of MLflow's pages, so that submissions link to their runs.",
)
def serve(
    context: Context,
    host: str,
    port: int,
    opened: str | None,
    write: bool,
    tokens: Path | None,
    hidden_until: str | None,
    mlflow: str | None,
) -> None:
    """Look around: serve the campaign as pages, from the leaderboard to the sentence that broke.

    Clicks never change the database, except notes and tags with --write. Processes that write to it
    need not wait: pages are made from a copy that follows the file, or the lake. Other machines
    need --host, and the token in the address that is printed.

    With --tokens teams use it from their machines, as 'tracker -d http://HOST:PORT COMMAND'.
    """
    from ..api.tokens import Tokens
    from ..experiments.rest import checked_pages
    from ..explorer.serving import serve

    if hidden_until and not tokens:
        raise InputError("--hidden-until needs --tokens, which says whose outputs are whose")
    token = None if tokens or _is_loopback(host) else secrets.token_urlsafe(16)
    serve(
        context.database,
        host,
        port,
        token=token,
        tokens=Tokens(tokens) if tokens else None,
        hidden_until=parse_moment(hidden_until, end_of_day=False) if hidden_until else None,
        opened=opened,
        write=write,
        mlflow=checked_pages(mlflow) if mlflow else None,
        wait=context.wait,
        say=context.say,
    )


def _is_loopback(host: str) -> bool:
    """Return whether only this machine reaches an address. Raises InputError for a bad one."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        raise InputError(
            f"'{host}' is no address to listen at", hint="such as 127.0.0.1, or 0.0.0.0 for all"
        ) from None
