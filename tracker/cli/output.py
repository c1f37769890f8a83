"""How results leave the program: a table on the terminal, or CSV, JSON and Parquet."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...queries.formats import Rows, csv_text, json_text, plain_rows
from ...schema.brief import listed
from ...schema.errors import InputError, visible_lines
from ...schema.files import write_file
from ..show.terminal import bars_aside, folded
from .options import Decorator, format_option, option

if TYPE_CHECKING:
    import pyarrow as pa

    from ..console import Console
    from ..show.model import Document, Table
    from .context import Context

ENCODED = ("csv", "spreadsheet", "json", "parquet")
FORMATS = ("table", *ENCODED, "html", "markdown", "latex")
DOCUMENT_FORMATS = ("text", "json", "html", "markdown")
_DOCUMENT_SUFFIXES = {
    ".json": "json",
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".txt": "text",
}
_SUFFIXES = {
    **{f".{name}": name for name in ("csv", "json", "parquet", "html")},
    ".txt": "table",
    ".md": "markdown",
    ".tex": "latex",
}


@dataclass(frozen=True)
class Destination:
    """Where a result goes: a file, or else stdout, and in which format."""

    format: str = "text"
    file: Path | None = None


def output_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options --format and --output of rows; the command gets ``to``, a Destination."""
    help_text = (
        "Format of the result; spreadsheet is CSV in which no text runs as a formula, "
        "latex is for the package booktabs."
    )
    command = option(
        "output", "to_file", help="Write to this file; its suffix decides the format."
    )(command)
    return format_option(*FORMATS, help=help_text)(_with_destination(command, _SUFFIXES, "table"))


def document_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options --format and --output of what is shown as a document; see output_options."""
    return document_or({}, "Write to this file: .txt, .md, .json or .html.")(command)


def document_or(suffixes: Mapping[str, str], help_text: str, *formats: str) -> Decorator:
    """Return document_options of a result that has other formats as well, by these suffixes."""
    all_suffixes = {**_DOCUMENT_SUFFIXES, **suffixes}

    def add(command: Callable[..., None]) -> Callable[..., None]:
        command = option("output", "to_file", help=help_text)(
            _with_destination(command, all_suffixes, "text")
        )
        return format_option(*DOCUMENT_FORMATS, *formats)(command)

    return add


def _with_destination(
    command: Callable[..., None], suffixes: Mapping[str, str], default: str
) -> Callable[..., None]:
    @wraps(command)
    def directed(
        *values: Any, format_name: str | None, to_file: Path | None, **options: Any
    ) -> None:
        chosen = format_name or format_of(to_file, suffixes, default)
        command(*values, to=Destination(chosen, to_file), **options)

    return directed


def write_rows(
    rows: pa.Table | Rows,
    to: Destination,
    document: Callable[[], Document] | None = None,
    tables: Callable[[], Sequence[Table]] | None = None,
    content: Callable[[], Any] | None = None,
    *,
    raw: bool = False,
) -> None:
    """Write rows to a file or to stdout; to people as a ``document``, where one is given.

    As LaTeX and Markdown they are ``tables``, as JSON ``content``, where there are such.

    Tables have scores in their units, but for ``raw`` ones, which are as data have them.
    Columns that say nothing, or on terminals and in papers the same in all rows, are named on
    stderr instead.

    Raises InputError for Parquet on a terminal.
    """
    chosen, output = to.format, to.file
    if output is None and chosen == "parquet" and sys.stdout.isatty():
        raise InputError("Parquet is not for a terminal", hint="name a file with --output")
    if chosen == "json" and content:
        write_content(json_text(content()).encode(), output)
    elif chosen in ENCODED:
        write_content(_encoded(rows, chosen), output)
    elif chosen in ("latex", "markdown"):
        from ..show.markdown import markdown_table
        from ..show.papers import latex

        notices: list[str] = []
        shown = tables() if tables else ()
        if not shown:
            table, notices = _table(rows, varying=True, raw=raw)
            shown = [table]
        written = map(latex if chosen == "latex" else markdown_table, shown)
        write_content("\n".join(written).encode(), output)
        _say(notices)
    elif chosen == "html":
        from ..show.html import page
        from ..show.tables import table_document

        if document:
            write_content(page(document()).encode(), output)
        else:
            table, notices = _table(rows, varying=False, raw=raw)
            write_content(page(table_document(table)).encode(), output)
            _say(notices)
    elif document:
        _say(_write_text(document(), output))
    else:
        _print_table(rows, output, raw=raw)


NO_ROWS = "(no rows)"
LONGEST_VALUE = 60
"""Letters of a value that is said once for all rows."""


def _table(rows: pa.Table | Rows, *, varying: bool, raw: bool) -> tuple[Table, list[str]]:
    """Return rows as a table without columns of which it is enough to name them, and notices."""
    from ..show.tables import constant_columns, measures_of_rows, rows_table, without_empty_columns

    filled = without_empty_columns(rows)
    empty = [name for name in rows.column_names if name not in filled.column_names]
    measures = {} if raw else measures_of_rows(rows)
    alike = constant_columns(filled, measures) if varying else []
    of_all = {name: str(filled.columns[name][0]) for name in alike}
    empty += [name for name, value in of_all.items() if value in ("{}", "[]")]
    same = [
        f"{name} {value}" if len(value) <= LONGEST_VALUE else f"{name} (too long to show)"
        for name, value in of_all.items()
        if name not in empty
    ]
    notices = [f"(nothing in: {listed(empty)})"] if empty else []
    notices += [] if len(rows) else [NO_ROWS]
    notices += [f"(the same in all rows: {', '.join(same)})"] if same else []
    table = rows_table(filled.drop_columns(alike), raw=raw, measures=measures)
    notices += [f"({table.note}; SQL and data have 0 to 1)"] if table.note else []
    return replace(table, note=""), notices


def _print_table(rows: pa.Table | Rows, output: Path | None, *, raw: bool) -> None:
    from ..show.text import print_table

    if not len(rows) and output is None:
        _say([NO_ROWS])
        return
    table, notices = _table(rows, varying=output is None and sys.stdout.isatty(), raw=raw)
    of_columns: list[str] = []
    hint = "; --columns chooses"
    write_drawn(lambda console: of_columns.extend(print_table(console, table, hint=hint)), output)
    _say([*of_columns, *notices])


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(folded(line), err=True)


def _write_text(document: Document, output: Path | None) -> list[str]:
    """Write a document as text; return what else a reader is to be told, such as the legend."""
    from ..show.text import legend, print_document

    notices: list[str] = []
    console = write_drawn(lambda to: notices.extend(print_document(to, document)), output)
    return [*notices, *legend(console, document)]


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


def write_document(
    context: Context,
    to: Destination,
    document: Callable[[], Document],
    content: Callable[[], Any] = dict,
) -> None:
    """Write a document to a file or stdout: as text, Markdown, a page, or its ``content`` as JSON.

    On a terminal text comes in colour; what marks mean goes to stderr.
    """
    if to.format == "json":
        write_content(json_text(content()).encode(), to.file)
    elif to.format == "html":
        from ..show.html import page

        write_content(page(document()).encode(), to.file)
    elif to.format == "markdown":
        from ..show.markdown import markdown_document

        write_content(markdown_document(document()).encode(), to.file)
    else:
        for line in _write_text(document(), to.file):
            context.say(line)


def write_drawn(draw: Callable[[Console], None], output: Path | None) -> Console:
    """Draw on the terminal, or as plain text in a file or a pipe; return what was drawn on."""
    from ..console import Console
    from ..show.text import WHOLE

    if output is None and sys.stdout.isatty():
        console = Console()
        with bars_aside():
            draw(console)
        return console
    text = io.StringIO()
    console = Console(file=text, width=WHOLE, force_terminal=False, color_system=None)
    draw(console)
    lines = [line.rstrip() for line in text.getvalue().split("\n")]
    write_content("\n".join(lines).encode(), output)
    return console


def format_of(output: Path | None, suffixes: Mapping[str, str], default: str = "table") -> str:
    """Return the format that a file's suffix names; the ``default`` for stdout.

    Raises InputError for a suffix that is not among ``suffixes``.
    """
    if output is None:
        return default
    if output.suffix not in suffixes:
        raise InputError(
            f"the suffix of '{output.name}' names no format",
            hint=f"give --format, or one of {', '.join(suffixes)}",
        )
    return suffixes[output.suffix]


def _encoded(rows: pa.Table | Rows, format_name: str) -> bytes:
    if format_name == "parquet":
        import pyarrow.parquet as pq

        sink = io.BytesIO()
        pq.write_table(rows, sink)
        return sink.getvalue()
    rows = plain_rows(rows)
    if format_name == "json":
        return json_text(rows.to_pylist()).encode()
    return csv_text(rows.column_names, rows, formulas=format_name == "csv").encode()


def state_of(changed: bool, done: str = "loaded") -> str:
    """Return what is said of a file or a run: what was done with it, or that nothing is new."""
    return done if changed else "nothing new"
