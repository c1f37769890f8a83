"""Optional packages that are not installed: what still works, and what is said about the rest."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from sr_tracker.schema.errors import EXTRAS, MissingDependencyError, optional_packages, require
from sr_tracker.schema.short_cuts import compiled
from sr_tracker.tracker.api.tracker import Tracker, connect
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.experiments import log_submissions
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
    "grpc": "ray[client]",
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
    assert any(item.startswith(f"{name}>=") for item in of_extra)
    assert not any(item.startswith(f"{name}>=") for item in declared["dependencies"])
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


def test_extras_are_what_commands_may_lack() -> None:
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(EXTRAS.values()) == extras.keys()


def test_commands_say_what_to_install(
    database: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "model").mkdir()
    hide(monkeypatch, "ufal", "spacy")
    parse = ["--database", str(database), "ingest", "parse", "en_few", "--analyser"]
    for analyser in ("udpipe", "spacy"):
        result = CliRunner().invoke(cli, [*parse, analyser, "--model", str(tmp_path / "model")])
        assert isinstance(result.exception, MissingDependencyError)
        assert result.exception.exit_code == 2
        assert f"sr-tracker[{analyser}]" in str(result.exception)


def test_a_run_and_its_page_need_no_chart_libraries(
    database: Path, tracker: Tracker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hide(monkeypatch, "altair", "vl_convert")
    uri = f"sqlite:///{tmp_path / 'mlflow.db'}"
    assert log_submissions(tracker.database, tracking_uri=uri).logged
    assert [*(database.parent / "mlartifacts").rglob("report.html")]


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
        with pytest.raises(ModuleNotFoundError, match="numba"):
            doubled(np.arange(4))
    assert doubled(np.arange(4)) == 12
    assert double.__doc__ == "Return twice the number."
