"""No text from outside steers the terminal: hostile names and outputs, in every command."""

from __future__ import annotations

import io
import logging
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import TrackerError, visible, visible_lines
from sr_tracker.schema.keys import natural_keys
from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.cli.context import Context
from sr_tracker.tracker.cli.output import write_drawn
from sr_tracker.tracker.console import Console
from sr_tracker.tracker.show import text as show_text
from sr_tracker.tracker.show.tables import rows_table
from sr_tracker.tracker.show.terminal import BARS, folded, guard_streams
from tests.tracker.in_process import RUN, Terminal, run

HOSTILE = "\x1b]0;x\x07\x1b[2J\x9b3J\u202e\x08\x7f[red]:smile:"
STEERING = {
    *map(chr, [*range(9), *range(11, 32), *range(0x7F, 0xA0)]),
    *map(chr, [*range(0x2028, 0x202F), *range(0x2066, 0x206A)]),
}
TREEBANK = "en_tiny-ud1.0-test"
CONLLU = "".join(
    f"# sent_id = s{number}\n# text = Dogs bark{word}\n"
    "1\tDogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n"
    f"2\tbark{word}\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    for number, word in enumerate(["", "s", "ed", "er", "ing"])
)


def steering(content: bytes) -> set[str]:
    return {*content.decode(errors="replace")} & STEERING


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign in which every name and text that is stored tries to steer the terminal."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / f"{TREEBANK}.conllu").write_text(CONLLU)
    (folder / "good.txt").write_text("Dogs bark\nDogs barks\nDogs barked\nDogs barker\nDogs bars\n")
    (folder / "poor.txt").write_text("bark Dogs\nbarks Dogs\nbarked\nDogs barker\nDogs\n")
    file = folder / "campaign.duckdb"
    with connect(file, create=True) as tracker, tracker.writing():
        tracker.ingest_treebank(folder / f"{TREEBANK}.conllu", campaign="C")
        for name in ("poor", "good"):
            tracker.ingest_submission(
                folder / f"{name}.txt",
                system="alpha",
                treebank=TREEBANK,
                campaign="C",
                tags={"note": "alpha"},
                iteration=1 if name == "poor" else 2,
            )
        tracker.score(metrics=["bleu", "dea"])
        tracker.analyse()
    with open_database(file) as opened:
        for table, columns in opened.connection.execute(
            "SELECT table_name, list(column_name) FROM duckdb_columns() JOIN duckdb_tables() "
            "USING (table_name) WHERE data_type = 'VARCHAR' AND estimated_size > 0 GROUP BY ALL"
        ).fetchall():
            if table in natural_keys():
                texts = ", ".join(
                    f"{column} = replace(replace(replace({column}, 'alpha', 'alpha' || $hostile), "
                    "'bark', 'bark' || $hostile), 'nsubj', 'nsubj' || $hostile)"
                    for column in columns
                )
                opened.connection.execute(f"UPDATE {table} SET {texts}", {"hostile": HOSTILE})
    return file


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal without colours: what steers it then is not the program's own."""
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "150")


SYSTEM = f"alpha{HOSTILE}"
NEW, OLD = (f"C/{SYSTEM}/{TREEBANK}{suffix}" for suffix in ("@2", ""))
COMMANDS = [
    *(
        ["show", view]
        for view in ("submission_overview", "leaderboard", "output_scores", "measure_correlations")
    ),
    *(["show", view] for view in ("dea_by_relation", "suspicious_patterns", "submission_history")),
    *(["show", table] for table in ("output", "token", "edge_match", "system")),
    ["show"],
    ["show", "submission", "--where", f"system_id = '{SYSTEM}'", "--format", "csv"],
    ["sql", "FROM output", "--format", "json"],
    ["sql", "FROM output", "--format", "csv"],
    ["sql", f"SELECT 1 AS \"{HOSTILE}\", '{HOSTILE}' AS text, ['{HOSTILE}'] AS list"],
    ["sql", f"SELECT error('{HOSTILE}')"],
    ["sql", f"SELECT '{HOSTILE}'::INTEGER"],
    ["check"],
    ["compare", NEW, OLD, "--sentences", "5"],
    ["compare", NEW, OLD, "--format", "json"],
    ["compare", NEW, OLD, "--format", "html"],
    ["history", SYSTEM],
    ["gate", NEW, OLD, "--max-drop", "bleu=0"],
    ["examples", NEW],
    ["examples", NEW, "--format", "json"],
    ["why", "suspicion-tree", NEW],
    ["keep", "rescore", "--dry-run"],
    ["keep", "prune", "--dry-run"],
    ["years"],
    ["human"],
    ["why", "significance"],
    ["ingest", "baseline"],
    ["score", "--list"],
]


@pytest.mark.parametrize("terminal", [True, pytest.param(False, marks=pytest.mark.long)])
def test_no_command_steers_the_terminal(
    database: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    message = b""
    for command in COMMANDS:
        done = run(monkeypatch, "-d", str(database), *command, terminal=terminal)
        assert b"Traceback" not in done.stderr, command
        assert not steering(done.stderr), command
        if terminal or not {"csv", "html"} & {*command}:
            assert not steering(done.stdout), command
        message += done.stdout + done.stderr
    for word in ("bark", "alpha", "nsubj"):
        assert f"{word}␛]0;x␇␛[2J".encode() in message


def test_a_pipe_gets_csv_as_it_is(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("-d", str(database), "sql", "FROM system", "--format", "csv")
    assert SYSTEM in run(monkeypatch, *arguments).stdout.decode()
    assert "␛]0;x" in run(monkeypatch, *arguments, terminal=True).stdout.decode()


def _commands(group: click.Group, names: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, (*names, name))
        elif command is not None:
            yield (*names, name)


def _arguments(names: tuple[str, ...], folder: Path) -> list[str]:
    """Return arguments for all that a command needs, each of them hostile."""
    command: click.Command = cli
    for name in names:
        assert isinstance(command, click.Group)
        computed = command.get_command(click.Context(command), name)
        assert computed is not None
        command = computed
    arguments = [*names]
    for parameter in command.params:
        value = f"{folder}/{HOSTILE}.csv" if isinstance(parameter.type, click.Path) else HOSTILE
        if isinstance(parameter.type, click.Choice):
            value = str(parameter.type.choices[0])
        elif isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType):
            value = "3"
        if isinstance(parameter, click.Argument):
            arguments += [value] * max(parameter.nargs, 1)
        elif parameter.required:
            arguments += [parameter.opts[0], value]
    return arguments


@pytest.mark.parametrize("names", [*_commands(cli)], ids="-".join)
def test_no_argument_comes_back_to_steer_the_terminal(
    names: tuple[str, ...], database: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if names == ("demo",):
        return
    monkeypatch.chdir(tmp_path)
    values = _arguments(names, tmp_path)
    for arguments in ([*names, f"--{HOSTILE}"], *([values] if len(values) > len(names) else [])):
        done = run(monkeypatch, "-d", str(database), *arguments, terminal=True)
        assert not steering(done.stdout + done.stderr), arguments


def test_what_libraries_print_is_shown_too(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = [io.BytesIO(), io.BytesIO()]
    monkeypatch.setattr(sys, "stdout", Terminal(streams[0], encoding="ascii"))
    monkeypatch.setattr(sys, "stderr", Terminal(streams[1], encoding="latin-1"))
    guard_streams()
    guarded = sys.stdout
    guard_streams()
    assert sys.stdout is guarded
    click.echo(HOSTILE)
    sys.stdout.writelines([HOSTILE, "\n"])
    logging.StreamHandler().emit(logging.makeLogRecord({"msg": HOSTILE}))
    sys.excepthook(ValueError, ValueError(HOSTILE), None)
    with Context(Path("x"), quiet=False, yes=False).progress(HOSTILE) as report:
        report(HOSTILE, 1, 2)
        click.echo(HOSTILE, err=True)
    Console().print(HOSTILE)
    sys.stdout.flush()
    sys.stderr.flush()
    for stream in streams:
        # the bar moves the cursor by itself: it is the only one that may
        seen = stream.getvalue().replace(b"\x1b[?25l", b"").replace(b"\x1b[?25h", b"")
        assert b"]0;x" in seen
        assert b"\x1b]" not in seen
        assert b"\x1b[2J" not in seen
        assert b"\x07" not in seen
        assert "\u202e".encode() not in seen


def test_what_resets_colours_when_python_ends_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Numba imports colorama where it is installed, which writes that to a terminal."""
    stream = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", Terminal(stream, encoding="utf-8"))
    guard_streams()
    sys.stdout.writelines(["end\n"])
    sys.stdout.write("\x1b[0m")
    sys.stdout.flush()
    assert stream.getvalue() == b"end\n"


def test_what_is_drawn_beside_a_progress_bar_has_lines_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    stream = io.BytesIO()
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, Terminal(stream, encoding="utf-8", write_through=True))
    with Context(Path("x"), quiet=False, yes=False).progress("title") as report:
        report("item", 1, 2)
        write_drawn(lambda console: console.print("drawn"), None)
        report("item", 2, 2)
        click.echo(HOSTILE)
    before, after = stream.getvalue().split(b"drawn\n")
    assert b"title" in before
    assert before.endswith(b"\x1b[1A\x1b[2K"), "the bar's line is cleared"
    assert b"title" in after, "the bar is there again"
    assert b"\x1b[2J" not in after
    assert BARS == []


def test_remarks_are_broken_between_words_and_commands_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal(io.BytesIO(), encoding="utf-8"))
    monkeypatch.setenv("COLUMNS", "30")
    command = "'tracker keep primary --campaign SAMPLE'"
    lines = folded(f"the system's ranking is another's\n  by users' scores: {command} (why)")
    assert lines.split("\n") == [
        *("the system's ranking is", "another's", "  by users' scores:"),
        *(f"  {command}", "  (why)"),
    ]
    for line in (f"look: {command} and more words", f"http://127.0.0.1:5000/#/{'x' * 40} words"):
        assert folded(line) == line
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert folded(10 * command) == 10 * command


@given(st.text())
def test_visible_text_is_one_line_and_as_long(text: str) -> None:
    shown = visible(text)
    assert len(shown) == len(text)
    assert not {*shown} & (STEERING | {"\n", "\t"})
    assert shown.encode().decode() == shown
    assert visible(shown) == shown
    assert visible_lines(text).count("\n") == text.count("\n")


def test_an_error_is_safe_to_print() -> None:
    error = TrackerError(HOSTILE, where=f"{HOSTILE}\n:1", hint=HOSTILE)
    assert not {*str(error)} & STEERING
    assert len(str(error).splitlines()) == 3
    assert error.message == HOSTILE


def test_brackets_are_no_markup() -> None:
    text = io.StringIO()
    Console(file=text, width=80).print("[/x] [red]a[/red] :smile:")
    assert text.getvalue() == "[/x] [red]a[/red] :smile:\n"


def test_columns_of_patterns_are_as_wide_as_their_longest_label() -> None:
    pattern = "(advcl:relclause|acl:relclause (nsubj:passive) (mark (advmod)))"
    table = rows_table(pa.table({"dea": [0.5], "pattern": [pattern], "text": [pattern]}))
    longest = len("(advcl:relclause|acl:relclause")
    assert show_text._needed(table, 1, 99) == longest + show_text._BETWEEN
    assert show_text._needed(table, 2, 99) < longest, "other texts may be folded"


# Streams that are closed or full


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("redirected", "code"),
    [
        (">&-", 0),
        ("2>&-", 0),
        ("<&- >&- 2>&-", 0),
        ("2>/dev/full", 0),
        (">/dev/full", 3),
        (">/dev/full 2>/dev/full", 3),
    ],
)
def test_closed_and_full_streams_end_in_no_traceback(
    database: Path, tmp_path: Path, redirected: str, code: int
) -> None:
    copy = Path(shutil.copy(database, tmp_path / "c.duckdb"))
    for query, expected in (("FROM campaign", code), ("FROM nowhere", 2)):
        done = subprocess.run(
            [
                *("sh", "-c", f'exec "$@" {redirected}', "sh"),
                *(sys.executable, "-c", RUN, "-d", str(copy), "sql", query),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == expected
        assert "Traceback" not in done.stderr
        assert "Exception ignored" not in done.stderr
    with open_database(copy, read_only=True):
        pass
