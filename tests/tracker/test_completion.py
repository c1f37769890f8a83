"""What shells complete, asked for as bash, zsh and fish do; it never harms the database."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from sr_tracker.tracker.cli import cli
from tests.building import campaign

Completed = Callable[..., list[str]]
SUBMISSIONS = ("C20/ours/en_a-ud1.0-test", "C20/ours/en_a-ud1.0-test@2", "C20/they/en_a-ud1.0-test")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database of three submissions, scored by one metric."""
    folder = tmp_path_factory.mktemp("completion")
    treebanks = {"en_a-ud1.0-test": [[("Dogs", 2, "nsubj"), ("bark", 0, "root")]]}
    outputs = {name: ["Dogs " * number + "bark"] for number, name in enumerate(SUBMISSIONS, 1)}
    run = {"scored": ["bleu", "dea"], "accept_mismatch": True}
    with campaign(folder / "campaign.duckdb", treebanks, outputs, **run):
        return folder


@pytest.fixture
def completed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Completed:
    """What a shell is offered in a folder after some typed words, the last one not complete."""

    def completed(typed: str, *, shell: str = "bash", folder: Path = folder) -> list[str]:
        words = ["tracker", *typed.split(" ")]
        requests = {
            "_TRACKER_COMPLETE": f"{shell}_complete",
            "COMP_WORDS": " ".join(words[:-1] if shell == "fish" else words),
            "COMP_CWORD": words[-1] if shell == "fish" else str(len(words) - 1),
        }
        monkeypatch.chdir(folder)
        done = CliRunner().invoke(cli, [], env=requests, prog_name="tracker")
        assert not done.stderr
        lines = done.stdout.splitlines()
        if shell == "zsh":
            return lines[1::3]
        return [line.partition(",")[2].partition("\t")[0] for line in lines if line]

    return completed


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("compare C20/o", SUBMISSIONS[:2]),
        ("compare ours@", ("ours@latest",)),
        ("score --system th", ("they",)),
        ("score --system=th", ("they",)),
        ("score --treebank en", ("en_a", "en_a-ud1.0-test")),
        ("show --campaign C", ("C20",)),
        ("show leaderb", ("leaderboard",)),
        ("history ours --measure ble", ("bleu",)),
        ("keep remove system o", ("ours",)),
        ("rename campaign C", ("C20",)),
        ("keep remo", ("remove",)),
        ("-d nowhere.duckdb score --system th", ()),
        ("score --system o\\'", ()),
        ("score --system \udcff", ()),
    ],
)
def test_names_of_the_database_are_completed(
    completed: Completed, typed: str, offered: tuple[str, ...]
) -> None:
    assert completed(typed) == [*offered]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_complete_the_same(completed: Completed, shell: str) -> None:
    assert completed("score --system th", shell=shell) == ["they"]


def test_nothing_is_made_or_changed(completed: Completed, folder: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert completed("compare C20/o")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    assert completed("compare C20/o", folder=tmp_path) == []
    assert not [*tmp_path.iterdir()]


def test_what_is_no_database_is_passed_over_in_silence(
    completed: Completed, tmp_path: Path
) -> None:
    file = tmp_path / "campaign.duckdb"
    for content in (b"", b"not a database at all", b"\0" * 8 + b"DUCK" + b"\0" * 5000):
        file.write_bytes(content)
        assert completed("compare C20/o", folder=tmp_path) == []
        assert file.read_bytes() == content
    file.unlink()
    os.mkfifo(file)
    assert completed("compare C20/o", folder=tmp_path) == []


def test_a_database_that_is_written_to_is_not_waited_for(
    completed: Completed, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[object] = []
    monkeypatch.setattr("sr_tracker.schema.waiting.time.sleep", waited.append)
    script = (
        "import duckdb, sys; held = duckdb.connect('campaign.duckdb'); "
        "print('open', flush=True); sys.stdin.read()"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=folder, stdin=pipe, stdout=pipe
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert completed("compare C20/o") == []
        holder.communicate()
    assert not waited
