"""Broken and odd input: each kind of tests/broken/cases.toml through the command line.

What is refused names what is wrong, where, and what to do, and leaves the database as it was.
``python tests/test_broken_input.py`` writes the tables of docs/faults.md anew.
"""

from __future__ import annotations

import gzip
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

import sr_tracker.schema.files
from sr_tracker.tracker.cli import main
from sr_tracker.tracker.show.charts.saving import save_chart
from sr_tracker.tracker.show.charts.scores import dea_by_relation_chart
from tests.building import contents
from tests.charts import records

CORPUS = Path(__file__).parent / "broken"
PAGE = Path(__file__).parents[1] / "docs" / "faults.md"
WRITTEN = "<!-- Written by python tests/test_broken_input.py from here on: do not edit. -->\n"
LARGEST_FILE = 2_000_000
GOOD = (
    "ingest treebank good/en_tiny-ud-test.conllu --version 2.3 --campaign local",
    "ingest treebank good/en_small-ud-test.conllu good/en_hidden-ud-test.conllu --version 2.3",
    "ingest submission good/ours.txt --system ours --treebank en_tiny-ud2.3-test",
    "ingest scores good/scores.csv --campaign local",
)


@dataclass(frozen=True)
class Case:
    """A kind of input: what is run, and what is refused or loaded."""

    section: str
    kind: str
    command: str
    file: str = ""
    made: bool = False
    """Whether the test makes the file, or it is missing; else it stands in the corpus."""
    options: str = ""
    exit: int = 2
    message: str = ""
    where: str = ""
    loads: str = ""
    then: tuple[str, ...] = ()
    query: str = ""
    rows: tuple[tuple[Any, ...], ...] = ()

    def arguments(self, commands: dict[str, str]) -> list[str]:
        """Return the command line, without the database."""
        words = shlex.split(f"{commands.get(self.command, self.command)} {self.options}")
        return [word.replace("{file}", self.file) for word in words]


def read_cases() -> tuple[list[Case], dict[str, str]]:
    """Return the cases, and the commands that they abbreviate."""
    content = tomllib.loads((CORPUS / "cases.toml").read_text(encoding="utf-8"))
    cases = []
    for section in content["sections"]:
        for values in section["cases"]:
            case = Case(section=section["title"], **values)
            rows = tuple(tuple(row) for row in case.rows)
            cases.append(replace(case, then=tuple(case.then), rows=rows))
    return cases, content["commands"]


CASES, COMMANDS = read_cases()
REFUSED = [case for case in CASES if not case.loads and case.section != "Databases"]
LOADED = [case for case in CASES if case.loads]
DATABASES = [case for case in CASES if case.section == "Databases"]


def named(cases: list[Case]) -> list[Any]:
    return [pytest.param(case, id=f"{case.kind} {case.file}") for case in cases]


@dataclass(frozen=True)
class Ended:
    """What a command left with, and what it wrote."""

    code: int
    output: str
    errors: str


Run = Callable[..., Ended]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the corpus, with the files that are made, and a database with the good ones."""
    copy = tmp_path_factory.mktemp("broken") / "corpus"
    shutil.copytree(CORPUS, copy)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(copy)
        for command in GOOD:
            patch.setattr(sys, "argv", ["tracker", "-q", "-d", "good.duckdb", *command.split()])
            main()
    make_files(copy)
    shutil.copy(copy / "good.duckdb", copy / "campaign.duckdb")
    return copy


def make_files(folder: Path) -> None:
    """Make the files that are too large or too odd to be kept."""
    good = (folder / "good.duckdb").read_bytes()
    words = " ".join(f"word{number % 500}" for number in range(100_000))
    (folder / "long-line.txt").write_text(f"{words}\nCafés open late.\nBirds sing songs.\n")
    (folder / "bomb.txt.gz").write_bytes(gzip.compress(b"0" * (LARGEST_FILE + 1)))
    shutil.copy(folder / "good/en_tiny-ud-test.conllu", folder / "my treebank.conllu")
    (folder / "cut-short.duckdb").write_bytes(good[:20_000])
    (folder / "newer.duckdb").write_bytes(good)
    with closing(duckdb.connect(str(folder / "newer.duckdb"))) as connection:
        connection.execute("INSERT INTO schema_version VALUES (999, 'future', '9.9', now())")
    with closing(duckdb.connect(str(folder / "foreign.duckdb"))) as connection:
        connection.execute("CREATE TABLE customer (customer_id INTEGER)")


@pytest.fixture(scope="module")
def good_contents(folder: Path) -> dict[str, list[str]]:
    return contents(folder / "good.duckdb", columns="*")


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in the corpus, with a limit on the size of files."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sr_tracker.schema.files, "MAX_BYTES", LARGEST_FILE)

    def run(arguments: list[str], database: str = "campaign.duckdb") -> Ended:
        monkeypatch.setattr(sys, "argv", ["tracker", "--database", database, *arguments])
        code: Any = 0
        try:
            main()
        except SystemExit as left:
            code = left.code
        return Ended(code, *capsys.readouterr())

    return run


@pytest.fixture
def restored(folder: Path) -> Iterator[Path]:
    """The database, put back afterwards."""
    database = folder / "campaign.duckdb"
    yield database
    shutil.copy(folder / "good.duckdb", database)


def check_refusal(case: Case, ended: Ended) -> None:
    message = f"{case.kind}: {ended.errors}"
    assert (ended.code, ended.output) == (case.exit, ""), message
    assert "Traceback" not in message
    assert case.message in message
    assert not case.where or f"where: {case.where}\n" in message
    assert "to do: " in message or "--help" in message


@pytest.mark.parametrize("section", dict.fromkeys(case.section for case in REFUSED))
def test_what_is_broken_is_refused_and_changes_nothing(
    section: str, run: Run, restored: Path, good_contents: dict[str, list[str]]
) -> None:
    for case in REFUSED:
        if case.section == section:
            assert case.message, "a case that is refused says how"
            check_refusal(case, run(case.arguments(COMMANDS)))
    assert contents(restored, columns="*") == good_contents


@pytest.mark.parametrize("case", named(LOADED))
def test_what_is_odd_is_loaded(case: Case, run: Run, restored: Path) -> None:
    for arguments in (case.arguments(COMMANDS), *map(shlex.split, case.then)):
        ended = run(arguments)
        assert ended.code == 0, ended.errors
    with closing(duckdb.connect(str(restored), read_only=True)) as connection:
        rows = connection.execute(case.query).fetchall()
    assert rows == [tuple(None if v == "NULL" else v for v in row) for row in case.rows]


@pytest.mark.parametrize("case", named(DATABASES))
def test_what_is_no_database_of_ours_is_left_alone(case: Case, run: Run, folder: Path) -> None:
    path = folder / case.file
    before = path.read_bytes() if path.is_file() else path.exists()
    check_refusal(case, run(case.arguments(COMMANDS), database=case.file))
    assert (path.read_bytes() if path.is_file() else path.exists()) == before


def test_every_file_of_the_corpus_is_in_a_case() -> None:
    files = {path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*") if path.is_file()}
    used = {case.file for case in CASES} | {"cases.toml", ".gitattributes"}
    used |= {word for case in CASES for command in case.then for word in command.split()}
    assert {file for file in files - used if not file.startswith("good/")} == set()
    assert {case.file for case in CASES if case.file and not case.made} - files == {
        *("outputs", "databases")  # folders
    }


def test_text_from_outside_does_not_end_a_pages_script(tmp_path: Path) -> None:
    attack = "</script><script>alert(1)</script>"
    rows = pd.DataFrame({"deprel": [attack, "nsubj"], "edges": [3, 4], "dea": [0.5, 0.6]})
    chart = dea_by_relation_chart(records(rows), f"local/<!--<script>/{attack}")
    page = save_chart(chart, tmp_path / "chart.html").read_text(encoding="utf-8")
    assert "alert(1)" in page
    assert "<script>alert" not in page
    assert "<!--<script>" not in page
    drawing = save_chart(chart, tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert "<script" not in drawing


def tables() -> str:
    """Return the tables of the documentation, as the cases have them."""
    parts = []
    for title in dict.fromkeys(case.section for case in CASES):
        parts += ["", f"### {title}", "", "| input | example | what happens |", "|---|---|---|"]
        parts += [row(case) for case in CASES if case.section == title]
    return "\n".join(parts)


def row(case: Case) -> str:
    example = case.file and (
        f"`{case.file}`" if case.made else f"[{case.file}](../tests/broken/{case.file})"
    )
    if case.section == "Databases":
        example = f"{example}: `{COMMANDS.get(case.command, case.command)}`"
    elif not case.file or case.command not in COMMANDS:
        words = COMMANDS.get(case.command, case.command).replace("{file}", case.file)
        example = f"`{words} {case.options}".rstrip() + "`"
    elif case.options:
        example += f" `{case.options}`"
    line = case.where.rpartition(":")[2]
    place = f" (line {line})" if line.isdigit() else ""
    refusal = f"`{case.message}`{place}" + (f", exit code {case.exit}" if case.exit != 2 else "")
    what = case.loads or refusal
    return "| " + " | ".join(text.replace("|", "\\|") for text in (case.kind, example, what)) + " |"


def test_the_documentation_lists_every_case() -> None:
    _, mark, listed = PAGE.read_text(encoding="utf-8").partition(WRITTEN)
    assert mark + listed == WRITTEN + tables() + "\n", "run: python tests/test_broken_input.py"


def write_page() -> None:
    text, mark, _ = PAGE.read_text(encoding="utf-8").partition(WRITTEN)
    PAGE.write_text(text + mark + tables() + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_page()
