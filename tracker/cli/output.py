"""How results leave the program: a table on the terminal, or CSV, JSON and Parquet."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pyarrow as pa

from sr_tracker.queries.reading import SECONDS_LIMIT
from sr_tracker.schema.errors import InputError, visible_lines
from sr_tracker.schema.writing import write_file
from sr_tracker.tracker.cli.options import format_option, option
from sr_tracker.tracker.show.formats import csv_text, json_text, plain

if TYPE_CHECKING:
    from sr_tracker.tracker.cli.context import Context
    from sr_tracker.tracker.console import Console
    from sr_tracker.tracker.show.model import Document

LONGEST_SECONDS = 86_400
FORMATS = ("table", "csv", "spreadsheet", "json", "parquet")
DOCUMENT_FORMATS = ("text", "json", "html")
_DOCUMENT_SUFFIXES = {".json": "json", ".html": "html", ".htm": "html", ".txt": "text"}
_SUFFIXES = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".txt": "table"}


def output_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options --format and --output."""
    command = option("output", help="Write to this file; its suffix tells the format.")(command)
    return format_option(
        *FORMATS,
        help="Format of the result; spreadsheet is CSV in which no text runs as a formula.",
    )(command)


def seconds_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option --seconds."""
    return click.option(
        "--seconds",
        type=float,
        default=SECONDS_LIMIT,
        show_default=True,
        callback=_time_limit,
        help="Time limit.",
    )(command)


def _time_limit(context: click.Context, option: click.Parameter, seconds: float) -> float:  # noqa: ARG001
    if not 0 < seconds <= LONGEST_SECONDS:
        hint = f"--seconds takes more than 0, at most {LONGEST_SECONDS}"
        raise InputError(f"{seconds:g} seconds are no time limit", hint=hint)
    return seconds


def write_rows(rows: pa.Table, format_name: str | None, output: Path | None) -> None:
    """Write rows to a file or to stdout.

    Raises InputError where the file's suffix names no format, and for Parquet on a terminal.
    """
    chosen = format_name or format_of(output, _SUFFIXES)
    if output is None and chosen == "table":
        _print_table(rows)
        return
    if output is None and chosen == "parquet" and sys.stdout.isatty():
        raise InputError("Parquet is not for a terminal", hint="name a file with --output")
    write_content(_encoded(rows, chosen), output)


def write_content(content: bytes, output: Path | None) -> None:
    """Write bytes to a file, whole or not at all, or to stdout: as they are, but to a terminal."""
    if output is not None:
        write_file(output, content)
        return
    if sys.stdout.isatty():
        sys.stdout.write(visible_lines(content.decode()))
    else:
        sys.stdout.buffer.write(content)
    sys.stdout.flush()


def document_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options --format and --output of what is shown as a document."""
    command = option("output", help="Write to this file: .txt, .json or .html.")(command)
    return format_option(*DOCUMENT_FORMATS)(command)


def document_format(format_name: str | None, output: Path | None) -> str:
    """Return the format asked for, or named by the file's suffix; text for stdout."""
    return format_name or ("text" if output is None else format_of(output, _DOCUMENT_SUFFIXES))


def write_document(
    context: Context,
    chosen: str,
    output: Path | None,
    document: Callable[[], Document],
    content: Callable[[], Any],
) -> None:
    """Write a document to a file or to stdout: as text, a page, or its ``content`` as JSON.

    On a terminal text comes in colour; what marks mean goes to stderr.
    """
    if chosen == "json":
        write_content(json_text(content()).encode(), output)
    elif chosen == "html":
        from sr_tracker.tracker.show.html import page

        write_content(page(document()).encode(), output)
    else:
        from sr_tracker.tracker.show.text import legend, print_document

        shown = document()
        notices: list[str] = []
        console = write_drawn(lambda to: notices.extend(print_document(to, shown)), output)
        for line in [*notices, *legend(console, shown)]:
            context.say(line)


def write_drawn(draw: Callable[[Console], None], output: Path | None) -> Console:
    """Draw on the terminal, or as plain text in a file or a pipe; return what was drawn on."""
    from sr_tracker.tracker.console import Console
    from sr_tracker.tracker.show.text import PLAIN_WIDTH

    if output is None and sys.stdout.isatty():
        console = Console()
        draw(console)
        return console
    text = io.StringIO()
    console = Console(file=text, width=PLAIN_WIDTH, force_terminal=False, color_system=None)
    draw(console)
    lines = [line.rstrip() for line in text.getvalue().split("\n")]
    write_content("\n".join(lines).encode(), output)
    return console


def format_of(output: Path | None, suffixes: Mapping[str, str]) -> str:
    """Return the format that a file's suffix names; ``table`` for stdout.

    Raises InputError for a suffix that is not among ``suffixes``.
    """
    if output is None:
        return "table"
    if output.suffix not in suffixes:
        raise InputError(
            f"the suffix of '{output.name}' names no format",
            hint=f"give --format, or one of {', '.join(suffixes)}",
        )
    return suffixes[output.suffix]


def _encoded(rows: pa.Table, format_name: str) -> bytes:
    if format_name == "parquet":
        import pyarrow.parquet as pq

        sink = io.BytesIO()
        pq.write_table(rows, sink)
        return sink.getvalue()
    if format_name == "json":
        return json_text(rows.to_pylist()).encode()
    if format_name in ("csv", "spreadsheet"):
        cells = zip(*(column.to_pylist() for column in rows.columns), strict=True)
        return csv_text(rows.column_names, cells, formulas=format_name == "csv").encode()
    return _table_text(rows).encode()


def _print_table(rows: pa.Table) -> None:
    from sr_tracker.tracker.console import Console

    filled = _without_empty_columns(rows)
    _tell_hidden("nothing in", rows, filled)
    console = Console()
    if not console.is_terminal:
        click.echo(_table_text(filled), nl=False)
        return
    varying = _without_constant_texts(filled)
    fitting = varying.select(_fitting_columns(varying, console.width))
    console.print(_rich_table(fitting))
    _tell_hidden("not shown for want of width; --columns chooses", varying, fitting)
    for name in filled.column_names:
        if name not in varying.column_names:
            click.echo(f"({name} is {filled[name][0].as_py()} in all rows)", err=True)


def _tell_hidden(why: str, rows: pa.Table, shown: pa.Table) -> None:
    hidden = [name for name in rows.column_names if name not in shown.column_names]
    if hidden:
        click.echo(f"({why}: {', '.join(hidden)})", err=True)


def _fitting_columns(rows: pa.Table, width: int) -> list[str]:
    """Return the first columns that fit: numbers whole, text folded to no less than 12 letters."""
    fitting: list[str] = []
    used = 0
    for field, column in zip(rows.schema, rows.columns, strict=True):
        cells = [_cell(value) for value in column.slice(0, 100).to_pylist()]
        needed = max([len(field.name), *map(len, cells)], default=0)
        used += 3 + (needed if _is_number(field.type) else min(needed, 12))
        if used > width and fitting:
            break
        fitting.append(field.name)
    return fitting


def _table_text(rows: pa.Table) -> str:
    from sr_tracker.tracker.console import Console

    text = io.StringIO()
    Console(file=text, width=10_000).print(_rich_table(rows))
    return "\n".join(line.rstrip() for line in text.getvalue().split("\n"))


def _is_number(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind)
    )


def _without_empty_columns(rows: pa.Table) -> pa.Table:
    if not rows.num_rows:
        return rows
    kept = [
        n for n, c in zip(rows.column_names, rows.columns, strict=True) if c.null_count < len(c)
    ]
    return rows.select(kept)


def _without_constant_texts(rows: pa.Table) -> pa.Table:
    """Return the rows without the text columns that say the same in all of several rows."""
    if rows.num_rows < 2:
        return rows
    kept = [
        field.name
        for field, column in zip(rows.schema, rows.columns, strict=True)
        if _is_number(field.type) or len(column.unique()) > 1
    ]
    return rows.select(kept or rows.column_names)


def _rich_table(rows: pa.Table) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for field in rows.schema:
        numeric = _is_number(field.type)
        table.add_column(
            Text(visible_lines(field.name)),
            justify="right" if numeric else "left",
            no_wrap=numeric,
            overflow="fold",
        )
    for row in zip(*(column.to_pylist() for column in rows.columns), strict=True):
        table.add_row(*(Text(_cell(value)) for value in row))
    return table


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4f}"
    return visible_lines(str(plain(value)))
