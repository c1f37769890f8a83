"""CONTRIBUTING.md: its recipes are cooked in a copy of the project, the files it names exist."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FOLDERS = ("schema", "ingest", "queries", "tracker")
FILE = re.compile(r"^`(?P<path>[\w/.]+)`:\n\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DECLARED = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"`((?:schema|ingest|queries|tracker|tests|docs)/[\w/.]*)`")


def section(title: str) -> str:
    """Return the text below a heading."""
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project that is importable as sr_tracker; the compiled code comes along."""
    copy = tmp_path_factory.mktemp("project")
    package = copy / "build" / "editable" / "sr_tracker"
    package.mkdir(parents=True)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder)
        (package / folder).symlink_to(copy / folder)
    (package / "__init__.py").symlink_to(copy / "tracker" / "public.py")
    (copy / "tests" / "queries").mkdir(parents=True)
    (copy / "docs").mkdir()
    for file in (
        ROOT / "pyproject.toml",
        *(ROOT / "docs" / "metrics.md", ROOT / "tests" / "papers.csv"),
        *(ROOT / "tests").glob("*.py"),
    ):
        shutil.copy2(file, copy / file.relative_to(ROOT))
    return copy


def cook(recipe: str, copy: Path) -> None:
    """Write the files of a recipe, register what it registers and run its commands."""
    for match in FILE.finditer(recipe):
        target = copy / match["path"]
        assert not target.exists(), f"{match['path']} is there already"
        target.write_text(match["text"], encoding="utf-8")
    path = copy / "build" / "editable"
    for declared in DECLARED.findall(recipe):
        installed = path / "sr_tracker-0.dist-info"
        installed.mkdir()
        (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: sr-tracker\nVersion: 0\n")
        registered = ConfigParser()
        registered.read_dict(tomllib.loads(declared)["project"]["entry-points"])
        with (installed / "entry_points.txt").open("w") as file:
            registered.write(file)
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    where = {"PYTHONPATH": f"{path}{os.pathsep}{copy}", "PATH": programs}
    for commands in COMMANDS.findall(recipe):
        done = subprocess.run(
            ["sh", "-ec", commands],
            cwd=copy,
            env={**os.environ, **where},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        (copy / "written.txt").write_text(done.stdout)


def test_the_recipe_of_a_metric(copied: Path) -> None:
    cook(section("Add a metric"), copied)
    assert "same_length" in (copied / "written.txt").read_text()


@pytest.mark.long
def test_the_recipe_of_a_view(copied: Path) -> None:
    cook(section("Add a view"), copied)
    assert "### output_lengths" in (copied / "docs" / "views.md").read_text(encoding="utf-8")


def test_what_recipes_write_passes_the_linter(tmp_path: Path) -> None:
    for match in FILE.finditer(PAGE):
        file = tmp_path / match["path"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(match["text"], encoding="utf-8")
    rules = ["--config", str(ROOT / "pyproject.toml")]
    checked = subprocess.run(
        [Path(sys.executable).with_name("ruff"), "check", *rules, "."],
        cwd=tmp_path,  # rules for a folder hold where the program is run
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


def test_files_that_are_named_exist() -> None:
    made = {match["path"] for match in FILE.finditer(PAGE)}
    for path in set(PATH.findall(PAGE)) - made:
        assert any(ROOT.glob(path.replace("THEME", "*"))), path
    for name in ("OutputFile", "read_outputs"):
        assert name in (ROOT / "ingest" / "outputs" / "reading.py").read_text(encoding="utf-8")
