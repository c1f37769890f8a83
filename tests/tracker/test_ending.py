"""What ends a command from outside leaves neither child processes nor temporary files behind."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing import active_children
from pathlib import Path
from threading import Timer

import pytest

from sr_tracker.ingest.grammar import training
from sr_tracker.queries.meaning import matching
from sr_tracker.queries.meaning.matching import GraphPair, MatchRow, MeaningSettings
from sr_tracker.queries.reading import read_sql
from sr_tracker.schema.database import open_database
from sr_tracker.schema.files import write_file
from sr_tracker.tracker.cli import context
from sr_tracker.tracker.cli.context import Context

RUN = "from sr_tracker.tracker.cli import main; main()"
SENTENCE = (
    "1\tDogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n"
    "2\tsleep\tsleep\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
    "3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"
)
LONG = 600.0
"""Seconds that no machine needs for what is waited for."""


def waited_for(condition: Callable[[], bool]) -> bool:
    """Whether the condition comes true within a generous time."""
    end = time.monotonic() + LONG
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def processes_about(text: str) -> list[str]:
    """The command lines of running processes that name a text."""
    results = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in command and path.parent.name != str(os.getpid()):
            results.append(command)
    return results


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are seen in /proc")
@pytest.mark.parametrize(("ending", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_an_ended_training_leaves_nothing_behind(
    tmp_path: Path, ending: signal.Signals, code: int
) -> None:
    pytest.importorskip("ufal.udpipe", reason="ufal.udpipe is not installed")
    train, folders = tmp_path / "train.conllu", tmp_path / "temporary"
    train.write_text(SENTENCE * 400, encoding="utf-8")
    folders.mkdir()
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", RUN, "train-parser", str(train)),
            *("-o", str(tmp_path / "model.udpipe"), "--tokeniser", "epochs=10000"),
        ],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folders)},
        preexec_fn=lambda: signal.signal(ending, signal.SIG_DFL),  # nohup may have ignored it
    )
    assert waited_for(lambda: any("udpipe_worker" in c for c in processes_about(str(folders))))
    process.send_signal(ending)
    _, errors = process.communicate(timeout=LONG)
    assert process.returncode == code, errors
    assert errors.strip().startswith("error: interrupted"), errors
    assert "Traceback" not in errors
    assert waited_for(lambda: not processes_about(str(folders)))
    assert list(folders.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["temporary", "train.conllu"]


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    """As under nohup."""
    program = (
        "import signal, os; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from sr_tracker.tracker.cli import _Interrupt\n"
        "_Interrupt(); os.kill(os.getpid(), signal.SIGHUP); print('alive')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "alive\n"


def test_an_import_is_not_broken_off(tmp_path: Path) -> None:
    """A library that takes every error for a missing package would swallow the interrupt."""
    (tmp_path / "greedy.py").write_text(
        "import signal\ntry:\n    signal.raise_signal(signal.SIGINT)\n    whole = True\n"
        "except BaseException:\n    whole = False\n"
    )
    program = (
        "import signal, threading; from sr_tracker.tracker.cli import _Interrupt\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored\n"
        "_Interrupt()\n"
        "try:\n    import greedy\n    threading.Event().wait(600)\n"
        "except KeyboardInterrupt:\n    print(greedy.whole, 'heard')"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == ["True", "heard"]


@pytest.mark.parametrize("moment", ["import click", "pass"])
def test_a_signal_outside_of_the_work_ends_without_a_traceback(moment: str) -> None:
    """While what the program is made of is read, and when its message is being written."""
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from sr_tracker.tracker import main\n"
        "def end(*_): signal.raise_signal(signal.SIGINT)\n"
        f"if {moment!r} == 'pass':\n    import sr_tracker.tracker.cli as cli; cli._fail = end\n"
        "else:\n    def find_spec(name, *_):\n        name == 'click' and end()\n"
        "    sys.meta_path.insert(0, type('Finder', (), {'find_spec': find_spec}))\n"
        "sys.argv = ['tracker', '-d', 'nowhere.duckdb', 'show', 'leaderboard']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


class Sleeper:
    """Compares pairs of graphs for longer than anybody waits."""

    def __init__(self, settings: MeaningSettings, vectors: None, aspects: Sequence[str]) -> None:
        pass

    def __call__(self, pairs: Sequence[GraphPair]) -> list[MatchRow]:
        time.sleep(LONG)
        return []


def test_ended_comparisons_end_their_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MANY_PAIRS", 1)
    monkeypatch.setattr(matching, "_Comparison", Sleeper)

    def end(item: str, done: int, pairs: int) -> None:
        raise KeyboardInterrupt

    start = time.monotonic()
    with (
        pytest.raises(KeyboardInterrupt),
        matching.matcher(MeaningSettings("p"), None, pairs=2, workers=2) as match,
    ):
        match([GraphPair(1, "(a / b)", "(a / b)")], end, "one")
    assert time.monotonic() - start < LONG / 2
    assert active_children() == []


@pytest.mark.long
def test_an_ended_statement_ends() -> None:
    """Without waiting for its time limit: ending the transaction waits for no row of it."""
    query = "SELECT count(*) FROM range(100000000000) AS t (a) WHERE a % 7 = random()"
    with open_database(None) as database:
        start = time.monotonic()
        signals = Timer(0.5, signal.raise_signal, [signal.SIGINT])
        signals.start()
        with pytest.raises((KeyboardInterrupt, RuntimeError)):
            read_sql(database, query, seconds=LONG)
        signals.join()
    assert time.monotonic() - start < LONG / 2


def test_an_ended_writing_leaves_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "model.udpipe", b"model")
    assert list(tmp_path.iterdir()) == []


def test_a_log_is_told_how_far_a_command_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where there is no terminal for a bar: every minute a line, here more often; quiet: none."""
    monkeypatch.setattr(context, "SECONDS_BETWEEN_LINES", 0.01)
    lines: list[str] = []
    monkeypatch.setattr(Context, "say", lambda _, text: lines.append(text))
    with Context(Path("x"), quiet=False, yes=False).progress("training") as report:
        assert waited_for(lambda: "training (0 min)" in lines)
        report("Iteration 3, accuracy 90%", 3, 24)
        assert waited_for(lambda: "training: Iteration 3, accuracy 90%, 3 of 24 (0 min)" in lines)
    monkeypatch.undo()
    monkeypatch.setattr(context, "SECONDS_BETWEEN_LINES", 0.01)
    with Context(Path("x"), quiet=True, yes=False).progress("training") as report:
        time.sleep(0.1)
    assert capsys.readouterr() == ("", "")


def test_a_pass_of_training_names_its_component() -> None:
    lines = (
        "Training tokenizer with the following options: epochs=1\nEpoch 1, logprob: -1\n"
        "Training tagger model 1.\nIteration 1: done, accuracy 90%\n\n"
        "Parser transition options: system=swap\nIteration 1: training logprob -2\n"
    )
    results: list[tuple[str, int, int]] = []
    last = training._follow(io.StringIO(lines), 3, lambda *about: results.append(about))
    assert last == "Iteration 1: training logprob -2"
    assert results == [
        ("tokenizer", 0, 3),
        ("tokenizer, Epoch 1, logprob: -1", 1, 3),
        ("tagger", 1, 3),
        ("tagger, Iteration 1: done, accuracy 90%", 2, 3),
        ("parser", 2, 3),
        ("parser, Iteration 1: training logprob -2", 3, 3),
    ]
