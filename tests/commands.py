"""The command line as tests run it in their own process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner, Result

from sr_tracker.schema.errors import TrackerError
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.cli import cli


def run(database: Path | Tracker, *words: object, code: int | None = 0, **how: Any) -> Result:
    """Run ``tracker`` on a database's file and return what it wrote and how it left.

    Another exit code than ``code``, None for any, fails: so does an error that is none of ours.
    """
    place = database.database.place if isinstance(database, Tracker) else database  # type: ignore[attr-defined]
    result = CliRunner().invoke(cli, ["--database", str(place), *map(str, words)], **how)
    error = result.exception
    if error is not None and not isinstance(error, SystemExit | TrackerError):
        raise error
    if code == 0 and isinstance(error, TrackerError):
        raise error
    assert code in (None, exit_code(result)), result.output
    return result


def every(leaves: bool = True) -> Iterator[tuple[str, click.Command]]:
    """Yield each command with its words, those of groups too unless only ``leaves`` are wanted."""

    def below(
        words: tuple[str, ...], command: click.Command
    ) -> Iterator[tuple[str, click.Command]]:
        is_group = isinstance(command, click.Group)
        if not (is_group and leaves):
            yield " ".join(words), command
        if not is_group:
            return
        context = click.Context(command)
        for name in command.list_commands(context):
            computed = command.get_command(context, name)
            assert computed is not None
            yield from below((*words, name), computed)

    return below((), cli)


def exit_code(result: Result) -> int:
    """Return the code that the program leaves with."""
    error = result.exception
    return error.exit_code if isinstance(error, TrackerError) else result.exit_code


def rows(database: Path | Tracker, *words: object) -> list[dict[str, Any]]:
    """Return the rows that a command writes as JSON."""
    content: list[dict[str, Any]] = json.loads(run(database, *words, "--format", "json").stdout)
    return content
