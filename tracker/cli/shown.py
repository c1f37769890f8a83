"""What is said of a command beside its operation: how its result is shown, and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from ...schema.parameters import Option
from .context import Context
from .output import Destination

if TYPE_CHECKING:
    from ..api.tracker import Tracker
    from ..show.model import Document, Table

Values = Mapping[str, Any]
STDOUT = Path("-")
"""Stands for stdout where a file is asked for."""


@dataclass(frozen=True)
class Own:
    """An option of the command alone, about how the result is shown."""

    annotation: Any
    default: Any = None


def listing(text: str, lines: Callable[[], Iterable[str]]) -> Own:
    """Return an option that lists something, in place of what the command does."""

    def listed(wanted: bool) -> None:
        if wanted:
            for line in lines():
                click.echo(line)
            click.get_current_context().exit()

    return Own(Annotated[bool, Option(text, convert=listed)], False)


@dataclass(frozen=True)
class Asks:
    """A question, after what would be done is shown: of a function that has ``dry_run``.

    The command has --dry-run and --yes.
    """

    question: Callable[..., str | None]
    """Asked of what was only tried; None where there is nothing to do, empty where it is done
    without being asked about."""
    meant: Callable[[Any], Values] = lambda _: {}
    """The values that name what was shown: that is what is done, whatever a name means by then."""
    always_tried: bool = False
    """Whether it is tried, and shown, before it is done with --yes as well."""


@dataclass(frozen=True)
class Shown:
    """What is shown of the result of an operation, and what is said of it.

    What is called with the result alone may take values of the command as well, by their names:
    those that it has.
    """

    document: Callable[..., Document | None] | str = ""
    """What makes the document of the result, and takes values of ``options``; or the function of
    a module of ``tracker`` that does, as module:function. None is for a table of the rows."""
    read: Callable[[Tracker, Any, Values], Any] | None = None
    """Reads what is shown, where that is not the result: the others get it in its place."""
    rows: Callable[[Any], Any] | None = None
    """The rows that CSV, Parquet and others have; None where there is nothing to show. Without
    this all is shown as a document, or nothing is shown, where there is no document either."""
    tables: Callable[[Any], Sequence[Table]] | None = None
    """The rows as tables for papers."""
    content: Callable[..., Any] | None = None
    """What JSON has in place of the rows, where it is not None, or of a document without rows."""
    chart: Callable[[Callable[..., None], Any, Values], None] | None = None
    """Draws the result: takes ``show.charts.chart``'s name and what it shows, and the values."""
    charted: Values = field(default_factory=dict)
    """The values with which the operation is called where a chart is asked for."""
    chart_options: Values = field(default_factory=dict)
    """What is said otherwise of the option --chart."""
    prepare: Callable[[dict[str, Any]], dict[str, Any]] = lambda values: values
    """Returns the values with the content of files in their place, before the database is opened:
    one that is wrong leaves no new database behind."""
    first: Callable[[Context, Tracker, Values], None] | None = None
    """What the command does before, such as scoring what is not scored."""
    passed: Callable[[Context, Destination], Values] = lambda *_: {}
    """The values of parameters that are no options, such as whom to tell what is done."""
    notes: Callable[..., Iterable[str]] = lambda _: ()
    """What is said on stderr before."""
    lines: Callable[..., Iterable[str]] = lambda _: ()
    """What is printed on stdout, line by line."""
    encoded_notes: Callable[[Any], Iterable[str]] = lambda _: ()
    """What is said of rows as CSV, JSON or Parquet: a document says it itself."""
    options: Mapping[str, Own] = field(default_factory=dict)
    pages: Values = field(default_factory=dict)
    """Values of ``options`` on HTML pages."""
    suffixes: Mapping[str, str] = field(default_factory=dict)
    """Other formats of a document, by suffix: picture, which ``picture`` draws, and of rows."""
    formats: Sequence[str] = ()
    """Those of them that --format names."""
    picture: Callable[[Any], tuple[Any, ...]] = tuple
    """Returns what ``show.charts.chart`` draws: the chart's name, and what it shows."""
    in_file: str = ""
    """The help of --output, where there are such formats."""
    on_terminal: Callable[[Any], Any] | None = None
    """The rows of a table on stdout, where those are others."""
    scores: bool = True
    """Whether what columns say that are called as metrics are scores, which have units."""
    aside: Callable[[Any], Table] | None = None
    """Returns a table for stderr."""
    raw: Callable[[Any], bytes] | None = None
    """Makes the content of the file --output, or of stdout, of which there is one format only."""
    files: Mapping[str, tuple[Any, Callable[..., bytes]]] = field(default_factory=dict)
    """Options that name a file: their annotations, and what makes the content of the result; it may
    take the tracker as well. Where one is -, its content goes to stdout in place of the rest."""
    written: bool = True
    """Whether --format and --output say where the result goes; else it is text on stdout."""
    asks: Asks | None = None
    done: Callable[..., str] = lambda _: ""
    """What is said on stderr last, where it was done and not only tried."""
    then: Callable[[Context, Tracker, Any, Values], None] | None = None
    """What the command does after, of the result and the values, such as logging what is scored."""
    finish: Callable[..., None] = lambda _: None
    """What comes last, such as raising CheckFailedError."""


def document_of(made: Any, result: Any, view: Values) -> Any:
    """Return the document that ``Shown.document`` makes of a result."""
    if isinstance(made, str):
        module, _, function = made.partition(":")
        made = getattr(import_module(f"..{module}", __package__), function)
    return call_with(made, result, view)


def call_with(function: Callable[..., Any], result: Any, values: Values) -> Any:
    """Return what a function makes of a result and of the values that it takes by their names."""
    taken = signature(function).parameters
    return function(result, **{name: values[name] for name in taken if name in values})
