"""What every command shares: the options of the program, the database, and how it talks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...schema.address import Place, ServedAddress
from ...schema.errors import InputError
from ...schema.progress import Progress
from ...schema.short_cuts import pass_over_pandas
from ..show.terminal import BARS, folded, guard_streams
from .options import option

if TYPE_CHECKING:
    from ..api.tracker import Tracker

SECONDS_BETWEEN_LINES = 60.0
ARGUMENTS = f"{__name__}.arguments"
"""Where a command's click.Context has its command line as it was given."""


@dataclass(frozen=True)
class Context:
    """The program's options."""

    database: Place
    quiet: bool
    yes: bool
    wait: float = 60.0
    """Seconds to wait while another process has the database open."""
    served: ServedAddress | None = None
    """Where the campaign is served that commands are sent to; None where they run here."""
    read_only: bool = False
    alone: bool = False
    """Whether nobody but us uses the process: it is the program's, not a test's or a notebook's."""

    def tracker(
        self,
        *,
        create: bool = False,
        computes: bool = True,
        threads: int | None = None,
        analyser: str = "reference",
        model: Path | None = None,
    ) -> Tracker:
        """Return the database; ``create`` makes one where there is none, when it is written to.

        A command that only reads rows says that it does not compute: Arrow is not imported yet.
        One whose statements are small says one thread: DuckDB's others would wait, and busily.
        """
        from ..api.tracker import tracker_of

        if self.alone:
            pass_over_pandas(arrow=computes)
        return tracker_of(
            self.database,
            create=create,
            read_only=self.read_only,
            wait=self.wait,
            say=self.say,
            threads=threads,
            analyser=analyser,
            model=model,
        )

    def say(self, text: str) -> None:
        """Tell the user something on stderr, unless quiet."""
        if not self.quiet:
            click.echo(folded(text), err=True)

    def draw(self, file: Path | None, name: str, *shown: Any, **options: Any) -> None:
        """Write a chart (``show.charts.chart``) to a file, and say so; nothing without a file."""
        if file is not None:
            from ..show.charts import chart
            from ..show.charts.saving import save_chart

            save_chart(chart(name, *shown, **options), file)
            self.say(f"{file} written")

    def agreed(self, question: str, *, yes: bool) -> bool:
        """Return whether the user wants what was shown. Raises InputError where none answers.

        ``yes`` is the command's own option; that of the program says the same.
        """
        if yes or self.yes:
            return True
        if not sys.stdin.isatty():
            raise InputError(
                "nothing was changed: this asks first, and there is no terminal to ask on",
                hint="add --yes, or --dry-run to see what it would do",
            )
        try:
            return click.confirm(question, err=True)
        except click.Abort as error:
            raise InputError("nothing was changed: the question was not answered") from error

    @contextmanager
    def progress(self, title: str) -> Iterator[Progress]:
        """Tell on stderr how far a command is, unless the user wants it quiet.

        On a terminal that is a bar; elsewhere, such as in a log, a line for every minute.
        """
        from ..console import Console

        console = Console(stderr=True)
        if not console.is_terminal:
            with self._minutes(title) as log:
                yield log
            return
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as ProgressBar

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[item]}", style="dim", markup=False),
        )
        with ProgressBar(*columns, console=console, transient=True, disable=self.quiet) as bar:
            if not self.quiet:
                guard_streams()  # the bar has put its own streams before the guarded ones
                BARS.append(bar)
            task = bar.add_task(title, total=None, item="")

            def report(item: str, done: int, total: int) -> None:
                bar.update(task, completed=done, total=total, item=item)

            try:
                yield report
            finally:
                BARS[:] = [other for other in BARS if other is not bar]

    @contextmanager
    def _minutes(self, title: str) -> Iterator[Progress]:
        """Write every minute what was reported last."""
        from threading import Event, Thread
        from time import monotonic

        newest, ended, start = [title], Event(), monotonic()

        def report(item: str, done: int, total: int) -> None:
            newest[0] = f"{title}: {item}, {done} of {total}"

        def write() -> None:
            while not ended.wait(SECONDS_BETWEEN_LINES):
                self.say(f"{newest[0]} ({(monotonic() - start) / 60:.0f} min)")

        writer = Thread(target=write, daemon=True)
        writer.start()
        try:
            yield report
        finally:
            ended.set()
            writer.join()


class SentCommand(click.Command):
    """A command that runs here or, where the database is a served campaign, there."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line, and keep it as it is."""
        ctx.meta[ARGUMENTS] = [*args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run it. Leaves with the exit code of what ran there."""
        context = ctx.find_object(Context)
        if context is None or context.served is None:
            return super().invoke(ctx)
        from .remote import run_there

        return sys.exit(run_there(ctx, context, context.served))


def pass_context(function: Callable[..., None]) -> Callable[..., None]:
    """Give the command the program's options as its first argument."""
    return click.make_pass_decorator(Context)(function)


def command(
    name: str, group: click.Group | None = None
) -> Callable[[Callable[..., None]], click.Command]:
    """Return what makes a function a command, of a group or of the program itself.

    Its first argument are the program's options, a Context.
    """

    def made(function: Callable[..., None]) -> click.Command:
        new_command = click.command(name, cls=SentCommand)(pass_context(function))
        if group is not None:
            group.add_command(new_command)
        return new_command

    return made


def asking_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --dry-run and --yes, for what ``Context.agreed`` asks about."""
    command = option("--yes", "-y", is_flag=True, help="Do not ask.")(command)
    return option("--dry-run", is_flag=True, help="Show what it would do, and stop.")(command)


def as_of_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option --as-of; the command gets a moment, for ``Tracker.reading``, or None."""
    return option(
        "--as-of",
        metavar="DATE",
        callback=_moment,
        help="Read the database as it stood then: 2020-06-12 (the end of that day, UTC), "
        "2020-06-12T15:30+02:00.",
    )(command)


def _moment(
    context: click.Context,  # noqa: ARG001
    option: click.Parameter,  # noqa: ARG001
    text: str | None,
) -> datetime | None:
    if text is None:
        return None
    from ...schema.parameters import parse_moment

    return parse_moment(text)


def leave_stuck_query() -> None:
    """End the process: a query heeds no time limit. Nothing is lost, the database is read only."""
    click.echo(
        "error: the query was stopped with the program: it could not be interrupted", err=True
    )
    os._exit(2)
