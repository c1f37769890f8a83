"""Optional packages that are not installed: what still works, and what is said about the rest."""

from __future__ import annotations

import inspect
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from sr_tracker.schema.compiled import compiled
from sr_tracker.schema.errors import MissingDependencyError
from sr_tracker.schema.optional import EXTRAS, optional_packages, require
from sr_tracker.tracker.api import Tracker, connect
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.cli.context import Context
from sr_tracker.tracker.cli.score import log_if_possible
from sr_tracker.tracker.experiments import log_submissions
from sr_tracker.tracker.show.report import write_report
from tests.tracker import story

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
DISTRIBUTIONS = {
    "vl_convert": "vl-convert-python",
    "ufal": "ufal.udpipe",
    "sentence_transformers": "sentence-transformers",
    "duckdb_extension_ducklake": "duckdb-extension-ducklake",
    "duckdb_extension_postgres_scanner": "duckdb-extension-postgres-scanner",
    "duckdb_extension_httpfs": "duckdb-extension-httpfs",
    "ray": "ray[client]",
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of one submission."""
    folder = tmp_path_factory.mktemp("missing")
    treebank = folder / "few.conllu"
    blocks = story.TREEBANK_FILE.read_text(encoding="utf-8").strip().split("\n\n")[:12]
    treebank.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    with connect(folder / "campaign.duckdb", create=True) as opened, opened.writing():
        opened.ingest_treebank(treebank, treebank="en_few", language="en")
        outputs = story.outputs_of(1)[:12]
        opened.submit(outputs, system="ours", treebank="en_few", analyse=False, log=False)
    return folder / "campaign.duckdb"


@pytest.fixture
def tracker(database: Path) -> Iterator[Tracker]:
    with connect(database) as opened, opened.writing():
        yield opened


def hide(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """Make packages look as if they were not installed."""
    for name in list(sys.modules):
        if name.partition(".")[0] in packages:
            monkeypatch.setitem(sys.modules, name, None)
    for name in packages:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize("package", EXTRAS)
def test_every_optional_package_is_in_the_extra_that_is_named(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    of_extra = declared["optional-dependencies"][EXTRAS[package]]
    name = DISTRIBUTIONS.get(package, package)
    assert any(each.startswith(f"{name}>=") for each in of_extra)
    assert not any(each.startswith(f"{name}>=") for each in declared["dependencies"])
    hide(monkeypatch, package)
    with pytest.raises(MissingDependencyError) as caught, optional_packages("do without"):
        __import__(package)
    assert package in caught.value.message
    assert caught.value.hint == f"pip install 'sr-tracker[{EXTRAS[package]}]', or do without"
    with pytest.raises(MissingDependencyError, match=package):
        require(package)


def test_other_modules_that_are_missing_are_bugs() -> None:
    with pytest.raises(ModuleNotFoundError), optional_packages():
        __import__("no_such_module")


def test_all_extras_but_those_of_large_models_are_in_all() -> None:
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert extras["all"] == ["sr-tracker[score,charts,mlflow,serve,udpipe]"]
    assert set(EXTRAS.values()) == extras.keys() - {"all"}


@pytest.mark.parametrize(
    ("command", "package"),
    [("log", "mlflow"), ("sync", "mlflow"), ("plot dea --output x.svg", "altair")],
)
def test_commands_say_what_to_install(
    command: str, package: str, database: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    hide(monkeypatch, package)
    result = CliRunner().invoke(cli, ["--database", str(database), *command.split()])
    assert isinstance(result.exception, MissingDependencyError)
    assert result.exception.exit_code == 2
    assert f"sr-tracker[{EXTRAS[package]}]" in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_python_calls_say_what_to_install(
    tracker: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide(monkeypatch, "scipy")
    with pytest.raises(MissingDependencyError, match="scipy"):
        tracker.analyse()
    assert "settings" in inspect.signature(tracker.analyse).parameters


def test_submitting_goes_without_mlflow_in_one_line(
    tracker: Tracker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hide(monkeypatch, "mlflow")
    outputs = story.outputs_of(2)[:12]
    report = tracker.submit(outputs, system="ours", treebank="en_few", analyse=False)
    (note,) = report.notes
    expected = (
        "not logged to MLflow: this needs the package mlflow, which is not installed: "
        "pip install 'sr-tracker[mlflow]'"
    )
    assert (note, report.logged_to) == (expected, None)
    assert report.submission_id.endswith("@2")
    log_if_possible(Context(Path(), quiet=False, yes=False), tracker)
    assert capsys.readouterr().err.strip() == expected


@pytest.mark.parametrize("command", ["submit out.txt --system s --treebank t", "score", "rescore"])
def test_logging_that_is_asked_for_is_refused_before_anything_is_done(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hide(monkeypatch, "mlflow")
    result = CliRunner().invoke(
        cli, ["--database", str(tmp_path / "none.duckdb"), *command.split(), "--log"]
    )
    assert isinstance(result.exception, MissingDependencyError)
    assert not list(tmp_path.iterdir())


def test_a_report_says_in_words_what_it_cannot_draw(
    tracker: Tracker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hide(monkeypatch, "altair", "vl_convert")
    submissions = tracker.select(system="ours")
    page = write_report(tracker.database, submissions, tmp_path / "page.html").page
    text = page.read_text(encoding="utf-8")
    assert "No chart: this needs the package altair, which is not installed" in text
    assert "Bars of accuracy" in text
    with pytest.raises(MissingDependencyError):
        write_report(tracker.database, submissions, tmp_path / "two.html", png=tmp_path / "png")
    assert not (tmp_path / "two.html").exists()


def test_a_run_and_its_chart_need_no_chart_libraries(
    database: Path, tracker: Tracker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hide(monkeypatch, "altair", "vl_convert")
    uri = f"sqlite:///{tmp_path / 'mlflow.db'}"
    assert log_submissions(tracker.database, tracking_uri=uri).logged
    assert [*(database.parent / "mlartifacts").rglob("dea_by_relation.svg")]


def test_compiled_functions_need_no_compiler_until_they_are_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @compiled(inline=True)
    def double(number: int) -> int:
        """Return twice the number."""
        return number * 2

    @compiled()
    def doubled(numbers: Any) -> int:
        total = 0
        for number in numbers:
            total += double(number)
        return total

    with monkeypatch.context() as patch:
        hide(patch, "numba")
        with pytest.raises(MissingDependencyError, match="numba"), optional_packages():
            doubled(np.arange(4))
    assert doubled(np.arange(4)) == 12
    assert double.__doc__ == "Return twice the number."
