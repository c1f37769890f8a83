"""The names that docs/stability.md promises: commands, methods, columns, metrics."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import click

import sr_tracker
from sr_tracker.queries.catalog import open_installed, views
from sr_tracker.queries.metrics.metric import Metric
from sr_tracker.queries.metrics.registry import metrics
from sr_tracker.schema import errors
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.cli.operation import Operation, OperationCommand

VAR_POSITIONAL = inspect.Parameter.VAR_POSITIONAL
NAMESPACES = ("grammar", "gec", "meaning", "form", "parsers", "score_with")
"""Attributes of a database that hold methods of their own."""


def public_names() -> list[str]:
    """Return a line for each stable name, sorted: its kind, then what belongs to what."""
    return sorted(
        {*_commands(cli, "tracker"), *_methods(), *_exit_codes(), *_stored(), *_metrics()}
    )


def _commands(command: click.Command, path: str) -> Iterator[str]:
    if command.hidden:
        return
    yield f"command {path}"
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            for name in (*parameter.opts, *parameter.secondary_opts):
                yield f"command {path} {name}{' (required)' if parameter.required else ''}"
        elif isinstance(parameter, click.Argument):
            yield f"command {path} {parameter.make_metavar(click.Context(command))}"
    if isinstance(command, click.Group):
        context = click.Context(command)
        former: Mapping[str, str] = getattr(command, "former", {})
        for name in (*command.list_commands(context), *former):
            below = command.get_command(context, name)
            if below is not None:
                yield from _commands(below, f"{path} {name}")


def _methods() -> Iterator[str]:
    for name in sr_tracker.__all__:
        yield f"python sr_tracker.{name}"
    yield from _parameters("sr_tracker.connect", sr_tracker.connect)
    settings = {each.method: each.settings for each in _operations()}
    holders: dict[str, object] = {"": Tracker}
    with sr_tracker.connect(None) as db:
        holders |= {f"{name}.": type(getattr(db, name)) for name in NAMESPACES}
    for prefix, holder in holders.items():
        for name, found in inspect.getmembers(holder, callable):
            if not name.startswith("_"):
                yield f"python db.{prefix}{name}"
                yield from _parameters(f"db.{prefix}{name}", found, settings)


def _parameters(
    name: str, function: object, settings: Mapping[str, Any] | None = None
) -> Iterator[str]:
    for parameter in inspect.signature(function).parameters.values():  # type: ignore[arg-type]
        if parameter.name == "fields" and settings:
            for field in fields(settings[name.removeprefix("db.")]):
                yield f"python {name} {field.name}"
        if parameter.name in ("self", "tracker") or parameter.kind is parameter.VAR_KEYWORD:
            continue
        needed = parameter.default is parameter.empty and parameter.kind is not VAR_POSITIONAL
        ending = " (required)" if needed else ""
        yield f"python {name} {parameter.name}{ending}"


def _operations(command: click.Command = cli) -> Iterator[Operation]:
    if isinstance(command, OperationCommand):
        yield command.operation
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from _operations(below)


def _exit_codes() -> Iterator[str]:
    for name, found in inspect.getmembers(errors, inspect.isclass):
        if issubclass(found, errors.TrackerError):
            yield f"exit code {found.exit_code} {name}"


def _stored() -> Iterator[str]:
    hidden = {view.name for view in views() if view.group == "internal"}
    with open_installed(None) as database:
        rows = database.connection.execute(
            "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
    for table, column in rows:
        if table not in hidden:
            yield f"column {table}.{column}"


def _metrics() -> Iterator[str]:
    for name in metrics():
        yield f"metric {name}"
    for name in inspect.signature(Metric).parameters:
        yield f"metric field {name}"
