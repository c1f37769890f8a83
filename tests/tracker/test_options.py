"""An option means the same in every command that has it."""

from __future__ import annotations

import click
import pytest

from sr_tracker.tracker.cli.options import Name, option
from tests import commands

SHARED = {
    *("submission", "system", "treebank", "campaign", "language"),
    *("seed", "replicates", "replace", "output", "format"),
}
OTHERWISE = {
    ("output", "ingest baseline"): "a folder",
    ("output", "examination sample-judging"): "a folder, or a file",
    ("output", "task make"): "a folder",
    ("output", "task receive"): "a folder",
    ("output", "grammar train-parser"): "a folder, or a file",
}
"""What is stated to be of another type, and why."""


def options(name: str) -> dict[str, click.Option]:
    """The options of a name, by the command that has it."""
    return {
        path: parameter
        for path, command in commands.every(leaves=False)
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
    computed = options(name)
    assert len(computed) > 1
    for path, item in computed.items():
        if (name, path) not in OTHERWISE and name != "format":
            kind = (type(item.type), item.type.name, item.metavar)
            assert kind == (type(shared.type), shared.type.name, shared.metavar), path
            assert vars(item.type) == vars(shared.type), path
        assert set(shared.opts) <= set(item.opts), path
        assert isinstance(item, click.Option)
        assert item.help, path


def test_names_of_what_is_in_the_database_are_completed() -> None:
    for path, command in commands.every(leaves=False):
        for parameter in command.params:
            if parameter.name in {"submission", "submissions", "system", "treebank", "campaign"}:
                named = isinstance(parameter.type, Name) or path.startswith("ingest ")
                assert named, (path, parameter.name)


def test_short_options_mean_one_thing_within_a_command() -> None:
    for path, command in commands.every(leaves=False):
        shorts = [flag for param in command.params for flag in param.opts if len(flag) == 2]
        assert len(shorts) == len(set(shorts)), path


SAME_FLAG = {
    "--annotators": "a file of them, whose judgements count, or numbers of them",
    "--by": "what is cut into parts, or counted by, is of the command's own kinds; a column",
    "--kind": "of a system, a rule or a language model; of judgements NAME=KIND",
    "--over": "a label of sentences; of rankings by people the kinds of these that they have",
    "--level": "of sentences or systems, as the column of that name says; else of confidence",
    "--model": "a file, or the name that a service knows",
    "--order": "of rows, of examples; else the length of n-grams",
    "--output": "a file; where several are written, a folder",
    "--reference": "a name of references, or whether they are used",
    "--references": "all or the first, or whether they are scored",
    "--sentences": "a number; to draw also all",
    "--top": "how many; of graphs how their tops are counted",
    "--track": "of a task one of two, of a campaign any",
    "--trees": "whether they are drawn; of marked errors whose, of an export which",
    "--vectors": "of a training one file, of concepts a file or folder",
    "--version": "of the program, shown; of a treebank or a metric",
    "--year": "of a selection, of a campaign that is made",
}
"""Flags that take values of another type in another command, and why they do."""


def test_a_flag_takes_one_type_of_value() -> None:
    kinds: dict[str, set[str]] = {}
    for _, command in commands.every(leaves=False):
        for param in command.params:
            if isinstance(param, click.Option):
                kind = param.type.name.removesuffix(" range")
                kinds.setdefault(param.opts[0], set()).add(kind)
    assert {flag for flag, kind in kinds.items() if len(kind) > 1} == SAME_FLAG.keys()
