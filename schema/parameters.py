"""Parameters of operations: what their annotations say of them, and defaults that many share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from .errors import InputError

REPLICATES = 1000
SEED = 12345
LEVEL = 0.95
"""Share of the replicates that an interval holds."""
ALPHA = 0.05
"""What is significant has a corrected p-value below this."""
LARGEST_SEED = 2**31 - 1
WORKERS = 2
"""Processes that compare graphs, unless told otherwise."""
MOST_REPLICATES = 1_000_000


@dataclass(frozen=True)
class Option:
    """What is said of a parameter beside its type, which ``Annotated`` says."""

    help: str = ""
    flag: str = ""
    """Such as --metric, or --log/--no-log; else it is called as the parameter. With a flag, a
    parameter without a default is an option that is required."""
    short: str = ""
    """Other flags, such as -m, or the one that it had before, with blanks between them."""
    choices: Sequence[str] = ()
    """The only values, where the type does not say them."""
    low: float | None = None
    """The least value."""
    high: float | None = None
    open: bool = False
    """Whether low and high are no values themselves."""
    default: str = ""
    """What it is without a value, where that is no value."""
    metavar: str = ""
    """What stands for a value in the help."""
    names: str = ""
    """Of what in the database it is a name, which shells complete: submission, system, …; kind:
    of what the parameter ``kind`` says."""
    convert: Callable[[Any], Any] | None = None
    """Makes the value of the text, or of the tuple of texts where there may be several."""
    path: Literal["", "file", "folder"] = ""
    """What a path leads to."""
    variable: str = ""
    """Variable of the environment that has the value."""
    argument: bool = False
    """Whether it is an argument on the command line, though it has a default; its flag names it."""
    commas: bool = False
    """Whether several values are one text, with commas between them."""
    required: bool = False
    """Whether of several values one is needed, or on the command line what has a default."""
    negates: bool = False
    """Whether the flag stands for False."""
    repeated: bool = False
    """Whether the command takes several and calls the function for each."""
    of_machine: bool = False
    """Whether it leads the program to something beside the database, such as a server, or code to
    run: a served campaign takes it from nobody. What a ``variable`` has is so as well."""


@dataclass(frozen=True)
class Parameter:
    """What an annotation says."""

    kind: Any
    """Type of one value: a class, or a Literal."""
    several: bool
    """Whether there may be several."""
    option: Option
    pairs: bool = False
    """Whether they are NAME=VALUE, together a mapping."""


def parameter_of(annotation: Any) -> Parameter:
    """Return what an annotation says: ``Annotated[Sequence[Measure] | None, Option("By this.")]``.

    What an outer annotation says goes before what an inner one says, as that of an alias. Of a
    union of types, it is a sequence that is meant, else the first.
    """
    option, several, pairs = Option(), False, False
    while (origin := get_origin(annotation)) is not None and origin is not Literal:
        arguments = get_args(annotation)
        if origin is Annotated:
            for inner in reversed(arguments[1:]):  # an alias within is flattened: it comes first
                option = _over(inner, option) if isinstance(inner, Option) else option
            annotation = arguments[0]
        elif origin in (Union, UnionType):
            types = [argument for argument in arguments if argument is not NoneType]
            sequences = [argument for argument in types if get_origin(argument) is Sequence]
            annotation = (sequences or types)[0]
        else:
            several, pairs = True, origin is Mapping
            annotation = arguments[0]
    return Parameter(annotation, several, option, pairs)


def _over(inner: Option, outer: Option) -> Option:
    """Return what ``inner`` says, with all that ``outer`` says in its place."""
    values = {
        field.name: getattr(outer, field.name)
        for field in fields(Option)
        if getattr(outer, field.name) != field.default
    }
    return replace(inner, **values)


_EXAMPLES = {
    "--column": "score=rating",
    "--kind": "BAD=degraded",
    "--functional": "nmod=of",
    "--with": "corrections=learners.m2",
}


def named_values(texts: tuple[str, ...], option: str) -> dict[str, Any]:
    """Return NAME=VALUE arguments as a dictionary; values that read as JSON numbers are numbers."""
    pairs: dict[str, Any] = {}
    for text in texts:
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


Submission: TypeAlias = Annotated[
    str, Option("Submission: id, SYSTEM@3, SYSTEM@latest, SYSTEM@best:dea.", names="submission")
]
System: TypeAlias = Annotated[str, Option("System.", names="system")]
Treebank: TypeAlias = Annotated[str, Option("Treebank: id, or en_ewt.", names="treebank")]
Campaign: TypeAlias = Annotated[str, Option("Campaign.", names="campaign")]
Year: TypeAlias = Annotated[str, Option("Year of the campaign.", names="year")]
Language: TypeAlias = Annotated[str, Option("Language code.", names="language")]
Measure: TypeAlias = Annotated[str, Option(names="measure")]
SentenceLabel: TypeAlias = Annotated[str, Option(names="sentence label", metavar="LABEL")]
ItsTreebank: TypeAlias = Annotated[
    Treebank | None, Option("Treebank, where a system has outputs for several.")
]
ItsCampaign: TypeAlias = Annotated[
    Campaign | None, Option("Campaign, where a system is in several.")
]
ItsBase: TypeAlias = Annotated[
    Submission | None,
    Option(
        "The submission that it is compared with.",
        flag="--base",
        short="--against",
        default="its parent, or the run before it",
        argument=True,
    ),
]
Kind: TypeAlias = Literal["submission", "system", "treebank", "campaign"]
Name: TypeAlias = Annotated[str, Option(names="kind")]
DryRun: TypeAlias = Annotated[bool, Option("Show what it would do, and stop.")]
File: TypeAlias = Annotated[Path, Option(path="file")]
OneFile: TypeAlias = Annotated[Path | str, Option(metavar="FILE")]
EachFile: TypeAlias = Annotated[Path | str, Option(metavar="FILES...", repeated=True)]
"""One file; the command takes several, one after the other."""
Replicates: TypeAlias = Annotated[
    int,
    Option("Number of resampled, and of shuffled, test sets.", low=1, high=MOST_REPLICATES),
]
Seed: TypeAlias = Annotated[int, Option("Seed of the random choices.", low=0, high=LARGEST_SEED)]
Level: TypeAlias = Annotated[
    float, Option("Share of the replicates that an interval holds.", low=0, high=1, open=True)
]
Alpha: TypeAlias = Annotated[
    float,
    Option("Corrected p-value below which a difference is significant.", low=0, high=1, open=True),
]
Unit: TypeAlias = Annotated[
    Literal["document", "text", "sentence"] | None,
    Option(
        "Units that are drawn and swapped whole: documents, equal texts or sentences.",
        default="document where they are known, else text where some repeat",
    ),
]
Criterion: TypeAlias = Annotated[str, Option("Only this criterion, such as mqm.")]
People: TypeAlias = Annotated[
    str, Option("Which human scores to use: raw, or standardised.", choices=("raw", "z"))
]
Scheduler: TypeAlias = Annotated[
    str | None,
    Option(
        "Share the work among processes: local:4 (of this machine), tcp://HOST:PORT (Dask), "
        "ray://HOST:PORT.",
        metavar="ADDRESS",
        variable="TRACKER_SCHEDULER",
    ),
]
TrackingUri: TypeAlias = Annotated[
    str | None, Option("MLflow store or server.", variable="MLFLOW_TRACKING_URI")
]
Elect: TypeAlias = Annotated[
    bool, Option("Make these settings the score in place of others: see 'tracker keep choose'.")
]
Workers: TypeAlias = Annotated[
    int, Option("Processes that compare graphs, where there are many.", low=1)
]
Labels: TypeAlias = Annotated[str, Option("Labels of the patterns.")]
Replace: TypeAlias = Annotated[bool, Option("Load in place of other content under the same name.")]
Log: TypeAlias = Annotated[bool, Option("Log to MLflow.", flag="--log/--no-log")]
Sources: TypeAlias = Annotated[
    Path | str | None,
    Option("Source texts of the sentences: one a line, or a table with ids.", metavar="FILE"),
]
Documents: TypeAlias = Annotated[
    Path | str | None,
    Option(
        "Documents of the sentences: domain TAB document a line, or a table with ids.",
        metavar="FILE",
    ),
]


def parse_moment(text: str, *, end_of_day: bool = True) -> datetime:
    """Return the moment that a date (2020-06-12) or time (2020-06-12T15:30+02:00) means, in UTC.

    A date means the end of that day, or its beginning; a time without a zone is UTC. Raises
    InputError.
    """
    try:
        try:
            moment_of_day = time.max if end_of_day else time.min
            return datetime.combine(date.fromisoformat(text.strip()), moment_of_day, UTC)
        except ValueError:
            moment = datetime.fromisoformat(text.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        edge = "end" if end_of_day else "beginning"
        raise InputError(
            f"'{text}' is no date or time",
            hint=f"write 2020-06-12 (the {edge} of that day, UTC), 2020-06-12T15:30 (UTC) "
            "or 2020-06-12T15:30+02:00",
        ) from error
