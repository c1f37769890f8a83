"""An option means the same in every command that has it."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.cli.options import Name, option

SHARED = {
    *("submission", "system", "treebank", "campaign", "language"),
    *("seed", "replicates", "replace", "output", "format"),
}
OTHERWISE = {
    ("output", "baseline"): "a folder",
    ("output", "sample-judging"): "a folder, or a file",
    ("output", "task make"): "a folder",
    ("output", "task receive"): "a folder",
    ("output", "train-parser"): "a folder, or a file",
}
"""What is stated to be of another type, and why."""


def commands(
    command: click.Command = cli, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, click.Command]]:
    yield " ".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, (*path, name))


def options(name: str) -> dict[str, click.Option]:
    """The options of a name, by the command that has it."""
    return {
        path: parameter
        for path, command in commands()
        for parameter in command.params
        if isinstance(parameter, click.Option) and f"--{name}" in parameter.opts
    }


@pytest.mark.parametrize("name", sorted(SHARED))
def test_a_shared_option_is_the_same_everywhere(name: str) -> None:
    @click.command
    @option(name)
    def alone() -> None:
        pass

    (shared,) = alone.params
    found = options(name)
    assert len(found) > 1
    for path, each in found.items():
        if (name, path) not in OTHERWISE and name != "format":
            kind = (type(each.type), each.type.name, each.metavar)
            assert kind == (type(shared.type), shared.type.name, shared.metavar), path
            assert vars(each.type) == vars(shared.type), path
        assert set(shared.opts) <= set(each.opts), path
        assert isinstance(each, click.Option)
        assert each.help, path


def test_names_of_what_is_in_the_database_are_completed() -> None:
    for path, command in commands():
        for parameter in command.params:
            if parameter.name in {"submission", "submissions", "system", "treebank", "campaign"}:
                named = isinstance(parameter.type, Name) or path.startswith("ingest ")
                assert named, (path, parameter.name)


def test_short_options_mean_one_thing_within_a_command() -> None:
    for path, command in commands():
        shorts = [flag for each in command.params for flag in each.opts if len(flag) == 2]
        assert len(shorts) == len(set(shorts)), path
