"""Write the reference pages in docs/ from what they are about: ``make references``."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import fields
from inspect import cleandoc
from itertools import groupby
from pathlib import Path
from typing import Any

import click

import sr_tracker
from sr_tracker.queries.catalog import ALIASES_END, aliases, open_installed, views
from sr_tracker.queries.catalog import GROUPS as THEMES
from sr_tracker.queries.metrics.metric import CHALLENGE, EXTERNAL, Metric
from sr_tracker.queries.metrics.registry import metrics
from sr_tracker.schema import errors
from sr_tracker.schema.statements import SqlFile
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.cli.groups import GROUPS
from sr_tracker.tracker.cli.operation import Operation, OperationCommand
from tests.markdown import table
from tests.papers_reference import papers_page
from tests.table_reference import tables_page

DOCS = Path(__file__).resolve().parents[1] / "docs"
COMMANDS, VIEWS, TABLES = "commands.md", "views.md", "tables.md"
METRICS = "metrics.md"
PAPERS = "papers.md"
WRITTEN = "<!-- Written by make references from here on: do not edit. -->"
"""What stands on a page between the text that people write and the tables that are made."""
NAMES = "public-names.txt"
"""Stable names; one that went stays in it until it is taken out by hand."""
MANY = 10
"""What so many commands or views have alike is told once."""
HIDDEN = "internal"
"""The group of views that only other views read."""
_Column = tuple[str, str, str | None]
"""Name, type and comment."""
_AS_IT_STANDS = "\b"
"""What click has before a paragraph whose lines it keeps."""


def pages() -> dict[str, str]:
    """Return the text of each page by the name of its file."""
    return {
        COMMANDS: commands_page(),
        VIEWS: views_page(),
        TABLES: tables_page(),
        METRICS: metrics_page(),
        PAPERS: papers_page(),
    }


def commands_page() -> str:
    """Return every command with its usage, its options and what it says of itself."""
    context = click.Context(cli, info_name="tracker")
    grouped: dict[str, list[tuple[click.Command, click.Context]]] = {}
    for title, names in GROUPS.items():
        grouped[title] = []
        for name in names:
            command = cli.get_command(context, name)
            if command is None:
                raise ValueError(f"the command {name} is in a group, but cannot be found")
            grouped[title] += _commands(command, click.Context(command, context, name))
    times = Counter(
        option
        for commands in grouped.values()
        for command in commands
        for option in _options(*command)
    )
    shared = _shared(times)
    parts = [
        "# Commands",
        "Every command with its options. Written by `make references`: do not edit.",
        "\n".join(
            f"- {title}: {', '.join(f'[{name}](#tracker-{name})' for name in names)}"
            for title, names in GROUPS.items()
        ),
        *_command(cli, context, "## ", ()),
        "## Shared options",
        f"Options that {MANY} commands or more have, with the same meaning.",
        _option_table(shared),
    ]
    for title, commands in grouped.items():
        parts.append(f"## {title}")
        for command, below in commands:
            parts += _command(command, below, "### ", shared)
    return "\n\n".join(parts) + "\n"


def _shared(times: Counter[tuple[str, *tuple[Any, ...]]]) -> list[Any]:
    """Return what many have alike, by name; of a name with several meanings the commonest."""
    most = {row[0]: row for row, count in reversed(times.most_common()) if count >= MANY}
    return [most[name] for name in sorted(most)]


def _commands(
    command: click.Command, context: click.Context
) -> Iterator[tuple[click.Command, click.Context]]:
    """Yield a command and those below it, each with its context."""
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from _commands(below, click.Context(below, context, name))


def _options(command: click.Command, context: click.Context) -> dict[tuple[str, str], str]:
    """Return the name of each option by what help says of it."""
    options = [option for option in command.params if isinstance(option, click.Option)]
    records = {option.get_help_record(context): option.opts[-1] for option in options}
    return {record: name for record, name in records.items() if record is not None}


def _option_table(records: Iterable[tuple[str, str]]) -> str:
    return table(("option", "meaning"), [(f"`{names}`", says) for names, says in records])


def _command(
    command: click.Command, context: click.Context, heading: str, shared: Container[tuple[str, str]]
) -> Iterator[str]:
    """Yield the paragraphs about a command; its ``shared`` options are named alone."""
    yield heading + context.command_path
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```\n{usage}\n```"
    yield from _paragraphs(cleandoc(command.help or ""))
    options = _options(command, context)
    own = [record for record in options if record not in shared]
    if own:
        yield _option_table(own)
    others = ", ".join(f"`{name}`" for record, name in options.items() if record in shared)
    if others:
        yield f"[Shared](#shared-options): {others}."
    yield from _paragraphs(command.epilog or "")


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in filter(None, text.replace("\f", "").split("\n\n")):
        lines = paragraph.split("\n")
        if lines[0] == _AS_IT_STANDS:
            yield "\n".join(["```", *lines[1:], "```"])
        else:
            yield " ".join(line.strip() for line in lines)


def views_page() -> str:
    """Return every view: what one row is, what tells rows apart, and each column."""
    with open_installed(None) as database:
        columns = database.connection.execute(
            "SELECT table_name, column_name, data_type, comment FROM duckdb_columns() "
            "ORDER BY table_name, column_index"
        ).fetchall()
    of_view = {
        name: [row[1:] for row in rows] for name, rows in groupby(columns, key=lambda row: row[0])
    }
    shown = sorted((view for view in views() if view.group != HIDDEN), key=lambda view: view.name)
    times = Counter(column for view in shown for column in of_view[view.name])
    shared = _shared(times)
    parts = [
        "# Views",
        "Every view and its columns. Written by `make references`: do not edit.",
        "All are plain SQL and work in any DuckDB client ([querying.md](querying.md)).",
        "## Shared columns",
        f"Columns that {MANY} views or more have, with the same meaning.",
        _column_table(shared),
    ]
    for theme in THEMES:
        members = [view for view in shown if view.group == theme]
        if not members:
            continue
        names = ", ".join(f"[{view.name}](#{view.name})" for view in members)
        parts += [f"## {theme.capitalize()}", names]
        for view in members:
            parts += _view(view, of_view[view.name], shared)
    old = {alias.name: alias.reads[0] for alias in aliases()}
    parts += [
        f"Old names of views read the same rows until {ALIASES_END}:",
        table(
            ("old name", "view"),
            [(f"`{name}`", f"[{old[name]}](#{old[name]})") for name in sorted(old)],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _view(view: SqlFile, columns: Iterable[_Column], shared: Container[_Column]) -> Iterator[str]:
    yield f"### {view.name}"
    message = view.description[:1].upper() + view.description[1:]
    grain = f" Told apart by {', '.join(f'`{name}`' for name in view.grain)}." if view.grain else ""
    yield f"{message}{grain}"
    own = [column for column in columns if column not in shared]
    if own:
        yield _column_table(own)
    others = ", ".join(f"`{column[0]}`" for column in columns if column in shared)
    if others:
        yield f"[Shared](#shared-columns): {others}."


def _column_table(columns: Iterable[_Column]) -> str:
    rows = [(f"`{name}`", kind.lower(), meaning or "") for name, kind, meaning in columns]
    return table(("column", "type", "meaning"), rows)


def metrics_page() -> str:
    """Return the page about metrics: what stands in it, then what each object tells of itself."""
    rows = [
        (
            f"`{metric.name}`",
            metric.column_comment,
            metric.text_level,
            _range(metric),
            metric.better,
            "" if metric.missing is None else f"{metric.missing:g}",
            f"`{metric.corpus_formula.score}`",
            " ".join(f"`{name}: {value}`" for name, value in metric.parameters.items()),
            metric.version,
        )
        for metric in metrics().values()
        if metric.text_level not in (EXTERNAL, CHALLENGE)
    ]
    head = (
        "metric", "what it is", "needs", "range", "better", "missing output", "corpus formula",
        "parameters", "version",
    )  # fmt: skip
    page = (DOCS / METRICS).read_text(encoding="utf-8").partition(WRITTEN)[0]
    formulas = "A corpus formula is SQL over `sums`, the sums of sentences' sufficient statistics."
    return "\n\n".join([page + WRITTEN, formulas, table(head, rows)]) + "\n"


def _range(metric: Metric) -> str:
    lowest, highest = (
        "?" if limit is None else f"{limit:g}" for limit in (metric.lowest, metric.highest)
    )
    return f"{lowest} to {highest}"


def kept_names() -> set[str]:
    """Return the stable names that are written down."""
    path = DOCS / NAMES
    return {*path.read_text(encoding="utf-8").splitlines()} if path.exists() else set()


VAR_POSITIONAL = inspect.Parameter.VAR_POSITIONAL
NAMESPACES = ("grammar", "gec", "meaning", "form", "parsers", "score_with")
"""Attributes of a database that hold methods of their own."""


def public_names() -> list[str]:
    """Return a line for each stable name, sorted: its kind, then what belongs to what."""
    return sorted(
        {*_public_commands(cli, "tracker"), *_methods(), *_exit_codes(), *_stored(), *_metrics()}
    )


def _public_commands(command: click.Command, path: str) -> Iterator[str]:
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
                yield from _public_commands(below, f"{path} {name}")


def _methods() -> Iterator[str]:
    for name in sr_tracker.__all__:
        yield f"python sr_tracker.{name}"
    yield from _parameters("sr_tracker.connect", sr_tracker.connect)
    settings = {operation.method: operation.settings for operation in _operations()}
    holders: dict[str, object] = {"": Tracker}
    with sr_tracker.connect(None) as db:
        holders |= {f"{name}.": type(getattr(db, name)) for name in NAMESPACES}
    for prefix, holder in holders.items():
        for name, member in inspect.getmembers(holder, callable):
            if not name.startswith("_"):
                yield f"python db.{prefix}{name}"
                yield from _parameters(f"db.{prefix}{name}", member, settings)


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
    for name, member in inspect.getmembers(errors, inspect.isclass):
        if issubclass(member, errors.TrackerError):
            yield f"exit code {member.exit_code} {name}"


def _stored() -> Iterator[str]:
    hidden = {view.name for view in views() if view.group == "internal"}
    with open_installed(None) as database:
        rows = database.connection.execute(
            "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
    for stored, column in rows:
        if stored not in hidden:
            yield f"column {stored}.{column}"


def _metrics() -> Iterator[str]:
    for name in metrics():
        yield f"metric {name}"
    for name in inspect.signature(Metric).parameters:
        yield f"metric field {name}"


if __name__ == "__main__":
    for page, content in pages().items():
        (DOCS / page).write_text(content, encoding="utf-8")
    names = sorted(kept_names().union(public_names()))
    (DOCS / NAMES).write_text("\n".join(names) + "\n", encoding="utf-8")
