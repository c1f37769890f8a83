"""The command line: ``tracker [--database FILE] COMMAND …``."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

import click

from sr_tracker.schema import TOOL_VERSION
from sr_tracker.schema.errors import HALF_A_PAIR, InputError, TrackerError
from sr_tracker.tracker.cli.context import Context
from sr_tracker.tracker.show.terminal import guard_streams

COMMANDS = {
    "demo": ("demo", "Run the whole job on the sample campaign."),
    "ingest": ("ingest", "Load treebanks, submissions, judgements, whole campaigns."),
    "submit": (
        "submit",
        "Load, score, analyse and log one model run, and say what changed.",
    ),
    "baseline": ("baseline", "Make baseline submissions for a treebank."),
    "score": ("score", "Compute the scores that are missing."),
    "analyse": ("analyse", "Analyse what makes outputs bad, and on which trees."),
    "human": ("human", "Rank systems by people's judgements, and test the ranking."),
    "significance": (
        "significance",
        "Tell which differences between scores are more than chance.",
    ),
    "compare": ("compare", "Compare two submissions in everything, or rank several."),
    "history": ("history", "Follow a system over its iterations."),
    "gate": ("gate", "Fail where a submission is worse than another, for CI."),
    "years": ("years", "Show measures over campaign years, systems and families."),
    "examples": ("examples", "Show the sentences behind a pattern, worst first."),
    "suspicion-tree": ("suspicion_tree", "Show what a submission fails on, as a tree."),
    "plot": ("plot", "Draw a picture of the analyses."),
    "report": ("report", "Write everything about a selection as one HTML page."),
    "sample-judging": (
        "sample_judging",
        "Draw outputs for people to judge, in HITs with control items.",
    ),
    "select-training": (
        "select_training",
        "Choose training sentences with what a submission does badly.",
    ),
    "ensemble": (
        "ensemble",
        "Make a submission of the best outputs of several systems.",
    ),
    "grammar": ("grammar", "Learn grammar rules, and check outputs by them."),
    "gec": ("gec", "Hold grammar rules against errors that people corrected."),
    "noise": ("noise", "Put wrong inflections into a treebank."),
    "train-parser": ("train_parser", "Train a parser on treebanks, noisy ones too."),
    "evaluate-parser": ("evaluate_parser", "Measure parsers on clean and noisy text."),
    "form": ("form", "Score by language models how well-formed outputs are."),
    "meaning": ("meaning", "Compare graphs of outputs with gold graphs."),
    "smatch": ("smatch", "Compare two files of graphs, without a campaign."),
    "mf": ("mf", "Score meaning and form together, with any weight."),
    "explain": ("explain", "Show what of the meaning outputs lose, in graphs."),
    "show": ("show", "Show a view, or list the views."),
    "sql": ("sql", "Run a SELECT statement."),
    "export": ("export", "Write tables as Parquet, or a treebank as CoNLL-U."),
    "log": ("log", "Log submissions to MLflow."),
    "sync": ("sync", "Reconcile the database and the MLflow server."),
    "promote": ("promote", "Put the best runs into MLflow's model registry."),
    "rescore": ("rescore", "Bring scores of older versions up to date."),
    "prune": ("prune", "Remove scores that newer ones superseded."),
    "remove": ("changing:remove", "Remove a submission, system, treebank or campaign."),
    "rename": ("changing:rename", "Give one of these another name, wherever it is named."),
    "tag": ("changing:tag", "Tag one of these, or remove tags."),
    "note": ("changing:note", "Note something on one of these."),
    "check": ("check", "Run the audits: rows that should not exist."),
}

EPILOG = (
    "Exit codes: 0 fine, 1 a check failed, 2 wrong input, 3 the database is unavailable, "
    "130 interrupted (143 and 129 by SIGTERM and SIGHUP)."
)
# What ends a program from outside: each runs what clears up child processes and temporary files.
ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the commands in the order in which one uses them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, its module imported."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(
            importlib.import_module(f"{__package__}.{module}"), attribute or "command"
        )
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--database",
    "-d",
    type=click.Path(path_type=Path, dir_okay=True),
    default=Path("campaign.duckdb"),
    envvar="TRACKER_DATABASE",
    show_default=True,
    show_envvar=True,
    help="The campaign database.",
)
@click.option(
    "--wait",
    metavar="SECONDS",
    type=click.FloatRange(0),
    default=60.0,
    envvar="TRACKER_WAIT",
    show_default=True,
    show_envvar=True,
    help="How long to wait while another process has the database open.",
)
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but results and errors.")
@click.option("--yes", "-y", is_flag=True, help="Answer yes to every question.")
@click.version_option(TOOL_VERSION, prog_name="tracker")
@click.pass_context
def cli(ctx: click.Context, database: Path, wait: float, quiet: bool, yes: bool) -> None:
    """Track NLG evaluation campaigns: load outputs, score them, ask why, follow them over time."""
    ctx.obj = Context(database=database, quiet=quiet, yes=yes, wait=wait)


class _Interrupt:
    """Remembers Ctrl-C and its like: raised within a library's call it may be another error then.

    A signal that is ignored when the program starts, as under nohup, stays ignored.
    """

    def __init__(self) -> None:
        self.received: int | None = None
        for name in ENDING_SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._receive)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        self.received = number
        signal.default_int_handler(number, frame)


def main() -> None:
    """Run the command line and leave with its exit code."""
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    guard_streams()
    sys.unraisablehook = _raise_interrupt_again
    interrupt = _Interrupt()
    try:
        _check_arguments(sys.argv[1:])
        cli.main(standalone_mode=False)
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
    import duckdb

    if isinstance(error, TrackerError):
        _fail(str(error), error.exit_code)
    if isinstance(error, click.ClickException):
        error.show()
        sys.exit(error.exit_code)
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    if isinstance(error, MemoryError):
        _fail("there is not enough memory\n  to do: load or score less at a time", 3)
    if isinstance(error, duckdb.Error | OSError):
        text = str(error).strip() or type(error).__name__
        _fail(f"the database or the disk reports: {text}\n  to do: nothing was half-written", 3)


def _raise_interrupt_again(unraisable: sys.UnraisableHookArgs) -> None:
    """Raise a Ctrl-C again that came while Python was clearing up, where it would be lost."""
    if unraisable.exc_type is KeyboardInterrupt:
        threading.Timer(0.01, signal.raise_signal, [signal.SIGINT]).start()
    else:
        sys.__unraisablehook__(unraisable)


def _fail(message: str, code: int) -> None:
    from sr_tracker.tracker.console import print_styled

    print_styled("error: ", "bold red", stderr=True, rest=message)
    sys.exit(code)
