"""Blocks of code in the docs, and how they are run: as a reader would, one page after the other.

A block's language says what becomes of it: ``sh`` is run, ``console`` is run and its output
compared, ``python`` and ``sql`` are executed, ``toml`` and ``csv`` are parsed, ``text`` is only
shown. The blocks of a page share a folder, a database and Python's names, as they do for readers. A
comment above a block says what is special about it:

``<!-- not run: REASON -->``        the block is parsed alone
``<!-- long: REASON -->``           it is run in the long form of the tests
``<!-- shared data: FOLDERS -->``   the same, on real data, where those are
``<!-- ends: HOW; exit: CODE -->``   what its last command ends with; also behind other marks
``<!-- file: NAME -->``             the block is the content of a file, which later blocks read
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import duckdb
import pytest

import sr_tracker
from sr_tracker.tracker.cli import cli
from tests.tracker.in_process import run_text

LANGUAGES = {"sh", "console", "python", "sql", "toml", "csv", "json", "text", "mermaid"}
MARKS = {"not run", "long", "shared data", "ends", "file"}
_BLOCK = re.compile(
    r"^(?: *<!-- (?P<mark>[a-z ]+): (?P<said>.+?)(?:; exit: (?P<code>\d+))? -->\n\n?)?"
    r"(?P<indent> *)```(?P<language>[\w-]*)\n(?P<text>.*?)^ *```$",
    re.MULTILINE | re.DOTALL,
)
_ASSIGNMENT = re.compile(r"(?:export )?([A-Z_]+)=(.*)")
_SERVER = re.compile(r"(?:\w+=\S+ )?(?:tracker serve|mlflow (?:ui|server))\b")
"""Commands that run until Ctrl-C: only parsed."""
_RULES = re.compile(r"[─━═╌]{2,}")


@dataclass(frozen=True)
class Block:
    """A block of code: where it stands, what it is in, its text and what is said above it."""

    line: int
    language: str
    text: str
    mark: str | None = None
    detail: str = ""
    code: str = "0"


@dataclass
class Reader:
    """Somebody who runs the blocks of a page, in a folder of their own."""

    patch: pytest.MonkeyPatch
    names: dict[str, Any] = field(default_factory=dict)

    def run(self, block: Block) -> None:
        """Run a block. Raises AssertionError where it does not do what the page says."""
        if block.language in ("sh", "console"):
            self._commands(block)
        elif block.language == "python":
            exec(compile(block.text, f"line {block.line}", "exec"), self.names)  # noqa: S102
        elif block.language == "sql":
            with sr_tracker.connect("campaign.duckdb") as db:
                for statement in duckdb.extract_statements(block.text):
                    db.sql(statement.query)

    def _commands(self, block: Block) -> None:
        steps = list(steps_of(block))
        for at, (command, shown) in enumerate(steps):
            wanted = block.code if at == len(steps) - 1 else "0"
            code, written = self.command(command)
            assert str(code) == wanted, f"{command}\nended with code {code}\n{written}"
            missing = first_missing(shown, written)
            assert missing is None, f"{command}\ndid not write\n{missing}\nbut\n{written}"

    def command(self, command: str) -> tuple[int, str]:
        """Run a line, one of ours in this process; return its exit code and what it wrote."""
        if _SERVER.match(command):
            return 0, ""
        if assigned := _ASSIGNMENT.fullmatch(command):
            value = _shell(f"printf %s {assigned[2]}")
            self.patch.setenv(assigned[1], value.stdout)
            return value.returncode, value.stderr
        words = list(shlex.shlex(command, posix=False, punctuation_chars=True))
        if words[0] != "tracker" or {"|", "&&", ";", "||"} & {*words}:
            done = _shell(command)
            return done.returncode, done.stdout + done.stderr
        line, _, target = command.partition(" > ")
        arguments = [os.path.expandvars(word) for word in shlex.split(line)[1:]]
        result = run_text(self.patch, *arguments)
        if target:
            Path(target.strip()).write_text(result.stdout, encoding="utf-8")
        return result.code, result.stdout + result.stderr


def blocks(page: str) -> list[Block]:
    """Return the blocks of a page."""
    return [
        Block(
            page.count("\n", 0, match.start()) + 1,
            match["language"],
            textwrap.dedent(match["text"]),
            match["mark"],
            match["said"] or "",
            match["code"] or "0",
        )
        for match in _BLOCK.finditer(page)
    ]


def steps_of(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a block without comments, with the lines that are shown below it."""
    command, shown = "", list[str]()
    for line in block.text.splitlines():
        starts = block.language == "sh" or line.startswith("$ ")
        if command.endswith("\\"):
            command = command[:-1] + line.strip()
        elif starts:
            if command:
                yield command, shown
            command, shown = without_comment(line.removeprefix("$ ")), []
            continue
        else:
            shown.append(line)
            continue
        command = without_comment(command)
    if command:
        yield command, shown


def without_comment(line: str) -> str:
    """Return a line of a shell without the comment at its end."""
    return re.sub(r"(^|\s+)#.*$", "", line).strip()


def first_missing(shown: list[str], written: str) -> str | None:
    """Return the first line that is shown, but not written after those before it; … is anything."""
    rest = _plain(written)
    for line in shown:
        for part in _plain(line).split("…"):
            if not part.strip():
                continue
            _, computed, rest = rest.partition(part.strip())
            if not computed:
                return line
    return None


def _plain(text: str) -> str:
    """Return a text without rules and the widths of columns."""
    return " ".join(_RULES.sub(" ", text).split())


def _shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a line by a shell that finds this environment's programs."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-ec", command],
        env={**os.environ, "PATH": programs},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=300,
    )


def parse(block: Block) -> None:
    """Parse a block in its language without running it. Raises what the parser raises."""
    if block.language in ("sh", "console"):
        for command, _ in steps_of(block):
            words = shlex.split(command)
            words = words[next((at for at, word in enumerate(words) if "=" not in word), 0) :]
            ends = [at for at, word in enumerate(words) if word in ("|", ">", "&&", ";")]
            arguments = words[1 : ends[0] if ends else None]
            if words and words[0] == "tracker" and arguments:
                parse_command(arguments)
    elif block.language == "python":
        ast.parse(block.text)
    elif block.language == "toml":
        tomllib.loads(block.text)
    elif block.language == "json":
        json.loads(block.text)
    elif block.language == "sql":
        assert duckdb.extract_statements(block.text)


def parse_command(arguments: list[str]) -> None:
    """Parse a command line without running it. Raises click.ClickException where it is wrong."""
    command: click.Command = cli
    if arguments == ["--version"]:  # it tells and leaves while it is parsed
        return
    context = cli.make_context("tracker", arguments)
    while isinstance(command, click.Group) and (rest := [*context._protected_args, *context.args]):
        name, computed, rest = command.resolve_command(context, rest)
        assert computed is not None
        command, context = computed, computed.make_context(name, rest, parent=context)
