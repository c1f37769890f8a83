"""The docs: each command line in them is one that the command line takes; the tutorial runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml

from sr_tracker.schema.errors import UnknownNameError
from sr_tracker.tracker.cli import cli
from tests.check_site import loaded_from_elsewhere

ROOT = Path(__file__).resolve().parents[1]
GENERATED = ("commands.md", "views.md", "tables.md", "metric-reference.md")
PAGES = [ROOT / "README.md", *(p for p in (ROOT / "docs").glob("*.md") if p.name not in GENERATED)]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?:\$ )?tracker (.*)$")


def commands(page: str) -> Iterator[str]:
    """Yield what stands behind ``tracker`` in a page's blocks, lines that go on joined."""
    for kind, text in BLOCK.findall(page):
        if kind in ("", "sh", "console"):
            for line in text.replace("\\\n", " ").split("\n"):
                if found := COMMAND.match(line):
                    yield found[1]


def parse(arguments: list[str]) -> None:
    """Parse a command line without running it. Raises click.ClickException where it is wrong."""
    command: click.Command = cli
    context = cli.make_context("tracker", arguments)
    while isinstance(command, click.Group) and (rest := [*context._protected_args, *context.args]):
        name, found, rest = command.resolve_command(context, rest)
        assert found is not None
        command, context = found, found.make_context(name, rest, parent=context)


@pytest.fixture
def any_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are named in docs are the reader's."""
    monkeypatch.setattr(
        click.Path, "convert", lambda self, value, *_: self.coerce_path_result(value)
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_command_line_is_one_that_is_taken(page: Path, any_file: None) -> None:
    for line in commands(page.read_text(encoding="utf-8")):
        words = shlex.split(line, comments=True)
        ends = [at for at, word in enumerate(words) if word in ("|", ">", "&&", ";")]
        try:
            parse(words[: ends[0]] if ends else words)
        except (click.ClickException, UnknownNameError) as error:
            pytest.fail(f"{page.name}: tracker {line}: {error}")


def test_each_page_has_its_place() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert pages == set(re.findall(r"^\| \[[^\]]+\]\(([^)]+)\)", index, re.MULTILINE))


def test_a_wrong_option_is_found(any_file: None) -> None:
    for wrong in (["show", "leaderboard", "--colour"], ["shwo"], ["gate"]):
        with pytest.raises((click.ClickException, UnknownNameError)):
            parse(wrong)


@pytest.mark.long
def test_the_tutorial_runs(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    script = "".join(text for kind, text in BLOCK.findall(page) if kind == "sh")
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-ec", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": programs},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "The gate passes" in done.stdout
    assert (tmp_path / "report.html").is_file()


def test_what_a_page_would_load_is_found(tmp_path: Path) -> None:
    (tmp_path / "fine.html").write_text('<a href="https://example.org"><script src="a.js">')
    assert loaded_from_elsewhere(tmp_path) == []
    (tmp_path / "bad.html").write_text('<script src="//example.org/a.js">')
    assert len(loaded_from_elsewhere(tmp_path)) == 1


def test_workflows_use_targets_and_commands_that_exist(any_file: None) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    workflows = (ROOT / ".github" / "workflows" / "ci.yml", ROOT / "docs" / "gate-workflow.yml")
    used = [
        line
        for path in workflows
        for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
        for step in job["steps"]
        for line in step.get("run", "").splitlines()
    ]
    made = {target for line in used if line.startswith("make ") for target in line.split()[1:]}
    assert made == {"docs", "imports", "lint", "lowest", "package", "test", "types"}
    assert made <= targets
    asked = [line.removeprefix("tracker ") for line in used if line.startswith("tracker ")]
    assert len(asked) == 3
    for line in asked:
        parse(shlex.split(line))
