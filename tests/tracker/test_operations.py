"""An operation is one function: its command and its method take the same, by the same defaults."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_args

import click
import pytest

from sr_tracker.ingest.judgements.appraise_segments import ITEM_NUMBERS
from sr_tracker.ingest.judgements.error_spans import UNWEIGHTED, WEIGHTS
from sr_tracker.queries.metrics.metric import HIGHER, LOWER
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.parameters import Measure, Option, Parameter, Treebank, parameter_of
from sr_tracker.tracker.api.methods import settings_of
from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.cli.context import Context
from sr_tracker.tracker.cli.operation import Operation, OperationCommand
from sr_tracker.tracker.cli.options import NO_DEFAULT
from sr_tracker.tracker.export import TREES
from tests import commands
from tests.tracker.in_process import run_text

OPERATIONS = {
    path: command for path, command in commands.every() if isinstance(command, OperationCommand)
}

OTHERWISE = {
    "demo": "a story of many operations, for a folder of its own",
    "serve": "a server, which goes on until it is stopped",
    "sql": "tells how many rows were left out, which a method's table cannot",
    "grammar noise": "its counts go to a file of their own",
    "grammar train-parser": "one of two trainers, each with its options",
    "examination sample-judging": "draws a sample, or joins its answers",
    "meaning form ingest": "not made of its function yet",
}
"""Commands that are no operations, and why."""


def test_every_command_is_an_operation_or_says_why_not() -> None:
    assert {path for path, _ in commands.every()} - OPERATIONS.keys() == OTHERWISE.keys()


def parameters(operation: Operation) -> dict[str, tuple[Any, Any]]:
    """The annotation and the default of all that an operation takes, fields of settings too."""
    taken = {
        name: (annotation, operation.defaults[name])
        for name, annotation in operation.annotations.items()
    }
    return taken | operation.fields


def options(command: click.Command) -> dict[str, click.Parameter]:
    return {str(param.name): param for param in command.params}


@pytest.mark.parametrize("path", OPERATIONS)
def test_a_command_takes_what_the_function_and_its_settings_take(path: str) -> None:
    command = OPERATIONS[path]
    there = options(command)
    for name, (annotation, default) in parameters(command.operation).items():
        sentence, option = parameter_of(annotation), there[name]
        if isinstance(option, click.Option):
            assert option.help == sentence.option.help != "", name
            needed = default in (inspect.Parameter.empty, NO_DEFAULT)
            assert option.required == (needed or sentence.option.required), name
            assert (option.multiple or sentence.option.commas) == sentence.several, name
        if isinstance(option.type, click.IntRange | click.FloatRange):
            assert (option.type.min, option.type.max) == (
                sentence.option.low,
                sentence.option.high,
            ), name
        if isinstance(option.type, click.Choice):
            assert option.type.choices == (sentence.option.choices or get_args(sentence.kind)), name


@pytest.mark.parametrize("path", OPERATIONS)
def test_the_method_of_python_is_the_same_function(path: str) -> None:
    operation = OPERATIONS[path].operation
    with connect(None) as db:
        method: Any = db
        for name in operation.method.split("."):
            method = getattr(method, name)
        assert inspect.unwrap(method.__func__) is inspect.unwrap(operation.function)


def least(command: click.Command) -> list[str]:
    """The shortest command line: a value for all that needs one."""
    line = []
    for param in command.params:
        if param.required:
            value = param.type.choices[0] if isinstance(param.type, click.Choice) else "1"
            line += [value] if isinstance(param, click.Argument) else [param.opts[0], value]
    return line


@pytest.mark.parametrize("path", OPERATIONS)
def test_what_nobody_chooses_is_the_same_by_both_doors(path: str) -> None:
    command = OPERATIONS[path]
    operation = command.operation
    context = command.make_context(path, least(command))
    passed = {
        name: value
        for name, value in context.params.items()
        if value not in (None, ()) and name in parameters(operation)
    }
    required = {str(option.name) for option in command.params if option.required}
    own = {name: passed.pop(name) for name in operation.annotations if name in passed}
    for name, value in own.items():
        default = operation.defaults[name]
        if name not in required and default is not NO_DEFAULT and name in operation.parameters:
            assert value == default, name
    if operation.fields:
        kind = operation.settings
        assert kind is not None
        needed = {
            field.name: passed.get(field.name, "what the function says")
            for field in fields(kind)
            if field.default is field.default_factory is MISSING
        }
        assert settings_of(kind, None, needed | passed) == settings_of(kind, None, needed)


@pytest.mark.parametrize(
    ("path", "name", "choices"),
    [
        ("ingest judgements", "item_numbers", ITEM_NUMBERS),
        ("ingest judgements", "weights", (*WEIGHTS, UNWEIGHTED)),
        ("ingest metric-scores", "better", (HIGHER, LOWER)),
        ("share export", "trees", TREES),
    ],
)
def test_choices_are_those_that_there_are(path: str, name: str, choices: tuple[str, ...]) -> None:
    """They are written down where reading them would import much."""
    option = options(OPERATIONS[path])[name]
    assert isinstance(option.type, click.Choice)
    assert tuple(option.type.choices) == tuple(choices)


@dataclass(frozen=True)
class _Settings:
    size: int = 3
    shape: str = "round"


@pytest.mark.parametrize(
    ("settings", "further", "expected"),
    [
        (None, {}, _Settings()),
        (_Settings(4), {}, _Settings(4)),
        (_Settings(4), {"shape": "flat"}, _Settings(4, "flat")),
        ({"size": 4}, {"shape": "flat"}, _Settings(4, "flat")),
        ({"size": 4}, {"size": 5}, _Settings(5)),
    ],
)
def test_settings_are_an_object_a_mapping_and_fields(
    settings: Any, further: dict[str, Any], expected: _Settings
) -> None:
    assert settings_of(_Settings, settings, further) == expected


def test_a_field_that_there_is_not_is_told() -> None:
    with pytest.raises(InputError, match="Settings has no field 'replicate'"), connect(None) as db:
        db.compare("a", "b", replicate=3)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, Parameter(int, False, Option())),
        (Treebank | None, Parameter(str, False, parameter_of(Treebank).option)),
        (
            Annotated[list[Measure] | None, Option("By this.", flag="--metric")],
            Parameter(str, True, Option("By this.", "--metric", names="measure")),
        ),
        (
            Annotated[Annotated[float, Option("Share.", low=0)], Option("Level.", high=1)],
            Parameter(float, False, Option("Level.", low=0, high=1)),
        ),
        (Path | str, Parameter(Path, False, Option())),
    ],
)
def test_what_an_annotation_says(annotation: Any, expected: Parameter) -> None:
    assert parameter_of(annotation) == expected


def test_what_was_shown_is_done_after_the_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run is the latest by the time the user agrees: the one that was shown goes."""
    file, references = tmp_path / "campaign.duckdb", tmp_path / "references.txt"
    references.write_text("a dog\na cat\n")
    how = {"system": "ours", "treebank": "two", "analyse": False, "log": False}

    def agreed(context: Context, question: str, *, yes: bool) -> bool:
        assert (question, yes) == ("Remove this?", False)
        with connect(file) as db:
            db.submit(["a rat", "a mouse"], next_iteration=True, **how)
        return True

    with connect(file, create=True) as db:
        db.ingest_references(references, treebank="two", language="en")
        db.submit(["a mouse", "a rat"], **how)
    monkeypatch.setattr(Context, "agreed", agreed)
    done = run_text(monkeypatch, "-d", file, "keep", "remove", "submission", "ours@latest")
    assert done.stderr.splitlines()[-1] == "removed: submission local/ours/two"
    with connect(file) as db:
        assert db.select() == ["local/ours/two@2"]
