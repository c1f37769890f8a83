"""Options that several commands have: each is defined here, and means the same everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from ...queries.resampling import LARGEST_SEED, MOST_REPLICATES, UNITS
from ...schema.errors import InputError
from ...schema.moments import parse_moment
from ...schema.selection import FILTERS

Decorator = Callable[[Callable[..., None]], Callable[..., None]]
PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
_EXAMPLES = {"--column": "score=rating", "--kind": "BAD=degraded", "--functional": "nmod=of"}


class Name(click.types.StringParamType):
    """A name of something in the database, which shells complete."""

    def __init__(self, kind: str) -> None:
        self.name = kind

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """Return the names of this kind that begin so; none where the database cannot be read."""
        return complete(ctx, self.name, incomplete)


SUBMISSION, SYSTEM, TREEBANK, CAMPAIGN, YEAR, LANGUAGE, VIEW, MEASURE = map(
    Name, ("submission", "system", "treebank", "campaign", "year", "language", "view", "measure")
)


def _drawable(_context: click.Context, _option: click.Parameter, file: Path | None) -> Path | None:
    """Return the file of a chart. Raises InputError for an ending that no chart has."""
    if file is not None:
        from ..show.charts.saving import check_ending

        check_ending(file)
    return file


_SHARED: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "submission": (
        ("--submission",),
        {"type": SUBMISSION, "help": "Submission: id, SYSTEM@3, SYSTEM@latest, SYSTEM@best:dea."},
    ),
    "system": (("--system",), {"type": SYSTEM, "help": "System."}),
    "treebank": (("--treebank",), {"type": TREEBANK, "help": "Treebank: id, or en_ewt."}),
    "campaign": (("--campaign",), {"type": CAMPAIGN, "help": "Campaign."}),
    "year": (("--year",), {"type": YEAR, "help": "Year of the campaign."}),
    "language": (("--language",), {"type": LANGUAGE, "help": "Language code."}),
    "criterion": (("--criterion",), {"help": "Only this criterion, such as mqm."}),
    "people": (
        ("--people",),
        {
            "type": click.Choice(["raw", "z"]),
            "default": "raw",
            "help": "Which of people's scores: as given, or standardised.",
        },
    ),
    "chart": (
        ("--chart",),
        {"type": FILE, "callback": _drawable, "help": "Draw it as well: .png, .svg or .html."},
    ),
    "seed": (
        ("--seed",),
        {
            "type": click.IntRange(0, LARGEST_SEED),
            "default": 12345,
            "help": "Seed of the random choices.",
        },
    ),
    "replicates": (
        ("--replicates",),
        {
            "type": click.IntRange(1, MOST_REPLICATES),
            "default": 1000,
            "help": "Number of resampled, and of shuffled, test sets.",
        },
    ),
    "resampling_unit": (
        ("--resampling-unit",),
        {
            "type": click.Choice(UNITS),
            "show_default": "document where they are known, else text where some repeat",
            "help": "What is drawn and swapped whole: documents, equal texts or sentences.",
        },
    ),
    "scheduler": (
        ("--scheduler",),
        {
            "metavar": "ADDRESS",
            "envvar": "TRACKER_SCHEDULER",
            "show_envvar": True,
            "help": "Let many processes do it: local:4 (of this machine), tcp://HOST:PORT (Dask), "
            "ray://HOST:PORT.",
        },
    ),
    "elect": (
        ("--elect",),
        {
            "is_flag": True,
            "help": "Make these settings the score, where others are: see 'tracker choose'.",
        },
    ),
    "sources": (
        ("--sources",),
        {
            "type": PATH,
            "metavar": "FILE",
            "help": "Source texts of the sentences: one a line, or a table with ids.",
        },
    ),
    "documents": (
        ("--documents",),
        {
            "type": PATH,
            "metavar": "FILE",
            "help": "Documents of the sentences: domain TAB document a line, or a table with ids.",
        },
    ),
    "replace": (
        ("--replace",),
        {"is_flag": True, "help": "Load in place of other content under the same name."},
    ),
    "format": (("--format", "-f", "format_name"), {"help": "Format of the result."}),
    "output": (
        ("--output", "-o"),
        {"type": FILE, "help": "Write to this file; its suffix tells the format."},
    ),
}


def option(
    name: str, *flags: str, choices: Collection[str] | None = None, **stated: Any
) -> Decorator:
    """Return an option: that of several commands by its name, or a command's own by its flags.

    ``choices`` are the only values it takes; ``stated`` is what click's options take, or what a
    command states otherwise of one that several have, such as its help. A default is shown, and
    tells the type.
    """
    its_flags, attributes = ((name,), {}) if name.startswith("-") else _SHARED[name]
    if choices is not None:
        stated["type"] = click.Choice(choices)
    return click.option(*its_flags, *flags, **{"show_default": True, **attributes, **stated})


def format_option(*formats: str, **stated: Any) -> Decorator:
    """Return the option --format, of a result that may have these formats."""
    return option("format", choices=formats, **stated)


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --submission, --campaign, --year, --system, --treebank and --language, all repeatable.

    The command gets tuples, as ``schema.selection.select_submissions`` takes them.
    """
    helps = {name: f"Only this {name}." for name in FILTERS}
    helps |= {
        "submission": "Only this submission: id, SYSTEM@3, SYSTEM@latest, SYSTEM@best:dea.",
        "treebank": "Only this treebank: id, or en_ewt.",
        "year": "Only campaigns of this year.",
    }
    for name in reversed(FILTERS):
        command = option(name, multiple=True, help=helps[name])(command)
    return command


def narrowing_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --treebank and --campaign: which of a system's submissions is meant."""
    for name, text in (
        ("campaign", "The campaign meant where a system is in several."),
        ("treebank", "The treebank meant where a system has outputs for several."),
    ):
        command = option(name, help=text)(command)
    return command


def comma_separated(
    _context: click.Context, _option: click.Parameter, given: str | None
) -> list[str]:
    """Return the names in a text such as one,other: a callback of options."""
    return [name.strip() for name in (given or "").split(",") if name.strip()]


def complete(ctx: click.Context, kind: str, incomplete: str) -> list[CompletionItem]:
    """Return names in the program's database that begin so; see schema.names.names_beginning."""
    from ...schema.names import names_beginning

    database = ctx.find_root().params.get("database")
    names = names_beginning(Path(database), kind, incomplete) if database else []
    return [CompletionItem(name) for name in names]


def named_values(given: tuple[str, ...], option: str) -> dict[str, Any]:
    """Return NAME=VALUE arguments as a dictionary; values that read as JSON numbers are numbers."""
    pairs: dict[str, Any] = {}
    for text in given:
        name, separator, value = text.partition("=")
        if not separator or not name:
            hint = f"as in {option} {_EXAMPLES.get(option, 'beam=10')}"
            raise InputError(f"{option} '{text}' is not NAME=VALUE", hint=hint)
        pairs[name] = value if option in _EXAMPLES else _number_or_text(value)
    return pairs


def _number_or_text(value: str) -> Any:
    try:
        number = json.loads(value)
    except json.JSONDecodeError:
        return value
    return number if isinstance(number, int | float) else value


ANALYSERS = ("reference", "udpipe", "stanza", "spacy")


def analyser_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose what turns output text into words."""
    function = option(
        "--model", type=PATH, help="Path of the analyser's model (udpipe, stanza, spacy)."
    )(function)
    return option(
        "--analyser",
        choices=ANALYSERS,
        default="reference",
        help="What tokenises and lemmatises outputs.",
    )(function)


def _made(_context: click.Context, _option: click.Parameter, text: str | None) -> datetime | None:
    return None if text is None else parse_moment(text, end_of_day=False)


_RUN_OPTIONS = (
    option("--track", default="shallow", help="Track of the campaign."),
    option(
        "--created-at",
        metavar="DATE",
        callback=_made,
        help="When the run was made: 2020-06-12, 2020-06-12T15:30 (UTC), 2020-06-12T15:30+02:00.",
    ),
    option(
        "--reference-form",
        choices=["auto", "text", "tokens"],
        default="auto",
        help="Compare with the raw text or with tokens joined by blanks; auto: what the file is "
        "clearly like, else as the run before.",
    ),
    option("--param", "-p", multiple=True, metavar="NAME=VALUE", help="Parameter of the run."),
    option("--tag", "-t", multiple=True, metavar="NAME=VALUE", help="Label of the run."),
    option("--id-column", help="Column with sentence ids (CSV, TSV, JSONL, Parquet)."),
    option("--text-column", help="Column with outputs (CSV, TSV, JSONL, Parquet)."),
    option("--accept-mismatch", is_flag=True, help="Load outputs unlike the references."),
)


def run_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that describe a model run and how its file is read."""
    for add in reversed(_RUN_OPTIONS):
        function = add(function)
    return function
