"""The command line: ``tracker [--database FILE] COMMAND …``."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from os import _exit  # a metric's package may have another in its place
from pathlib import Path
from types import FrameType
from typing import Any

import click
from click.shell_completion import CompletionItem

from ...schema import TOOL_VERSION
from ...schema.address import Place, ServedAddress, place_of, served_address
from ...schema.engine import LEAST_ADDRESSES, check_addresses
from ...schema.errors import HALF_A_PAIR, InputError, TrackerError, is_want_of_memory, remedy
from ...schema.short_cuts import COMPILING, collect_rarely
from ..show.terminal import folded, guard_streams
from .context import Context
from .groups import LazyGroup
from .options import option

EPILOG = (
    "Exit codes: 0 fine, 1 a check failed, 2 wrong input, 3 the database is unavailable, "
    "130 interrupted (143 and 129 by SIGTERM and SIGHUP)."
)
# What ends a program from outside: each runs what clears up child processes and temporary files.
ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
IMPORT_ADDRESSES = 400 * 2**20
"""Addresses that the libraries of a command take, and linear algebra ends the process without."""
_ERROR = "error: "
END_SECONDS = 20.0
"""A command ends so long after one of them at last: what it writes is whole or not at all."""


class _Place(click.ParamType):  # type: ignore[type-arg]
    """A file, or the address of a lake or of a served campaign."""

    name = "path"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Place | ServedAddress:
        """Return what the text names."""
        try:
            return served_address(str(value)) or place_of(value)
        except InputError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return that files are meant."""
        return click.Path().shell_complete(ctx, param, incomplete)


@click.group(cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@option(
    "--database",
    "-d",
    type=_Place(),
    default="campaign.duckdb",
    envvar="TRACKER_DATABASE",
    show_envvar=True,
    help="The campaign database: a file, a lake (ducklake:postgres:dbname=…), or one that 'tracker "
    "serve --tokens' serves (http://HOST:PORT).",
)
@option(
    "--wait",
    metavar="SECONDS",
    type=click.FloatRange(0),
    default=60.0,
    envvar="TRACKER_WAIT",
    show_envvar=True,
    help="Seconds to wait while another process has the database open.",
)
@option("--quiet", "-q", is_flag=True, help="Say nothing but results and errors.")
@option("--yes", "-y", is_flag=True, help="Answer yes to every question.")
@option("--read-only", is_flag=True, hidden=True)
@click.version_option(TOOL_VERSION, prog_name="tracker")
@click.pass_context
def cli(
    ctx: click.Context,
    database: Place | ServedAddress,
    wait: float,
    quiet: bool,
    yes: bool,
    read_only: bool,
) -> None:
    """Track NLG evaluation campaigns: load outputs, score them, ask why, follow them over time."""
    alone = bool(ctx.obj)
    served = database if isinstance(database, ServedAddress) else None
    place = Path() if isinstance(database, ServedAddress) else database
    shared = {"quiet": quiet, "yes": yes, "read_only": read_only, "alone": alone}
    ctx.obj = Context(database=place, served=served, wait=wait, **shared)
    COMPILING.say = ctx.obj.say


class _Interrupt:
    """Remembers Ctrl-C and its like: raised within a library's call it may be another error then.

    A signal that is ignored when the program starts, as under nohup, stays ignored. One that comes
    within an import is heard after it: broken off, an import may leave Python's import lock taken,
    for which other threads wait for ever, and a library may go on as if a package were missing.
    """

    def __init__(self) -> None:
        self.received: int | None = None
        self._before: dict[int, Any] = {}
        for name in ENDING_SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._receive)

    def stop(self) -> None:
        """Let what comes now do what it did before: nothing is open any more."""
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self.received is None:
            _end_soon(number)
        self.received = number
        if _is_importing(frame):
            _raise_soon(number)
        else:
            signal.default_int_handler(number, frame)


def _end_soon(number: int) -> None:
    """End the process in END_SECONDS, whatever it does: a metric of a package may hang."""

    def end() -> None:
        with suppress(OSError):
            os.write(2, b"interrupted: it did not end by itself; what was complete is kept\n")
        _exit(128 + number)

    timer = threading.Timer(END_SECONDS, end)
    timer.daemon = True
    timer.start()


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _raise_soon(number: int) -> None:
    if sys.platform == "win32":
        again = threading.Timer(0.01, signal.raise_signal, [number])
    else:  # sent to the main thread it also ends what that waits for
        main_thread = threading.main_thread().ident
        again = threading.Timer(0.01, signal.pthread_kill, [main_thread, number])
    again.daemon = True
    again.start()


def main() -> None:
    """Run the command line and leave with its exit code."""
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    # Our matrices are small: further threads of the linear algebra only wait, and busily.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    collect_rarely()
    guard_streams()
    sys.unraisablehook = _raise_interrupt_again
    interrupt = _Interrupt()
    try:
        try:
            check_addresses(IMPORT_ADDRESSES + LEAST_ADDRESSES, None)
            _check_arguments(sys.argv[1:])
            cli.main(standalone_mode=False, obj="alone")
        finally:
            interrupt.stop()
    except BaseException as error:
        if interrupt.received or isinstance(error, click.Abort):
            _fail(
                "interrupted: what was complete is kept; run the command again to go on",
                128 + (interrupt.received or signal.SIGINT),
            )
        _leave(error)
        raise


def _check_arguments(arguments: list[str]) -> None:
    """Raise InputError for bytes that are no text: neither Arrow nor DuckDB could hold them."""
    for argument in arguments:
        if HALF_A_PAIR.search(argument):
            raise InputError(
                f"the argument '{argument}' is no text in UTF-8",
                hint="rename the file, or write the name in the terminal's encoding",
            )


def _leave(error: BaseException) -> None:
    """Leave with a message for what the user, the database or the disk cause; others are bugs."""
    if isinstance(error, TrackerError):
        _fail(str(error), error.exit_code)
    if isinstance(error, click.ClickException):
        error.show()
        sys.exit(error.exit_code)
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    if is_want_of_memory(error):
        _fail("there is not enough memory\n  to do: load or score less at a time", 3)
    import duckdb

    if isinstance(error, duckdb.Error | OSError):
        text = str(error).strip() or type(error).__name__
        hint = remedy(error) or "nothing was half-written"
        _fail(f"the database or the disk reports: {text}\n  to do: {hint}", 3)


def _raise_interrupt_again(unraisable: sys.UnraisableHookArgs) -> None:
    """Raise a Ctrl-C again that came while Python was clearing up, where it would be lost."""
    if unraisable.exc_type is KeyboardInterrupt:
        _raise_soon(signal.SIGINT)
    else:
        sys.__unraisablehook__(unraisable)


def _fail(message: str, code: int) -> None:
    from ..console import print_styled

    lines = folded(f"{_ERROR}{message}")
    print_styled(_ERROR, "bold red", stderr=True, rest=lines.removeprefix(_ERROR))
    sys.exit(code)
