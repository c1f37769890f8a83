"""Options that several commands have: each is defined here, and means the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import click
from click.shell_completion import CompletionItem

from ...schema import parameters
from ...schema.address import served_address
from ...schema.parameters import File, Option, Parameter, named_values, parameter_of

Decorator = Callable[[Callable[..., None]], Callable[..., None]]
PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


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
        return complete(ctx, self.kind(ctx), incomplete)

    def kind(self, ctx: click.Context) -> str:  # noqa: ARG002
        """Return of what it is a name."""
        return self.name


class _NameOfKind(Name):
    """A name of what the argument KIND says."""

    def kind(self, ctx: click.Context) -> str:
        """Return what that argument says."""
        return ctx.params.get("kind") or ""


_NAMES: dict[str, Name] = {
    kind: Name(kind)
    for kind in (
        *("submission", "system", "treebank", "campaign", "year", "language", "view", "measure"),
        "sentence label",
    )
}
SUBMISSION, SYSTEM, TREEBANK, CAMPAIGN, YEAR, LANGUAGE, VIEW, MEASURE, _ = _NAMES.values()
NO_DEFAULT = object()
"""Stands for the default of a parameter that has none."""


def _drawable(file: Path) -> Path:
    """Return the file of a chart. Raises InputError for an ending that no chart has."""
    from ..show.charts.saving import check_ending

    check_ending(file)
    return file


CHART = Annotated[File, Option("Draw it as well: .png, .svg, .html or .json.", convert=_drawable)]
_FORMAT = Annotated[str, Option("Format of the result.", short="-f")]
_OUTPUT = Annotated[File, Option("Write to this file; its suffix decides the format.", short="-o")]
_SHARED: dict[str, tuple[Any, Any]] = {
    "submission": (parameters.Submission, None),
    "system": (parameters.System, None),
    "treebank": (parameters.Treebank, None),
    "campaign": (parameters.Campaign, None),
    "year": (parameters.Year, None),
    "language": (parameters.Language, None),
    "criterion": (parameters.Criterion, None),
    "people": (parameters.People, "raw"),
    "chart": (CHART, None),
    "seed": (parameters.Seed, parameters.SEED),
    "replicates": (parameters.Replicates, parameters.REPLICATES),
    "resampling_unit": (parameters.Unit, None),
    "scheduler": (parameters.Scheduler, None),
    "elect": (parameters.Elect, False),
    "sources": (parameters.Sources, None),
    "documents": (parameters.Documents, None),
    "replace": (parameters.Replace, False),
    "format": (_FORMAT, None),
    "output": (_OUTPUT, None),
}
"""Options that several commands have: their annotations, and their defaults."""


BY_FLAG = "_by_flag"
"""What the name of a parameter ends with that is an argument, where its flag gives it."""


def option(
    name: str, *flags: str, choices: Collection[str] | None = None, **stated: Any
) -> Decorator:
    """Return an option: that of several commands by its name, or a command's own by its flags.

    ``choices`` are the only values it takes; ``stated`` is what click's options take, or what a
    command states otherwise of one that several have, such as its help. A default is shown, and
    tells the type.
    """
    if choices is not None:
        stated["type"] = click.Choice(choices)
    if name.startswith("-"):
        return click.option(name, *flags, **{"show_default": True, **stated})
    return annotated(name, *_SHARED[name], flags, stated)


def annotated(
    name: str,
    annotation: Any,
    default: Any = None,
    flags: Sequence[str] = (),
    stated: Mapping[str, Any] | None = None,
    *,
    positional: bool = False,
) -> Decorator:
    """Return the option, or the argument, of a parameter with this annotation and default.

    Without a default it is ``NO_DEFAULT``: then it is an option that is required or, where it is
    ``positional`` and has no flag, an argument. ``flags`` and ``stated`` are as of ``option``. See
    ``schema.parameters``.
    """
    parameter = parameter_of(annotation)
    about, required = parameter.option, default is NO_DEFAULT
    attributes: dict[str, Any] = {"type": _type(parameter)}
    flag = about.flag or f"--{name.replace('_', '-')}"
    metavar = about.metavar or ("NAME=VALUE" if parameter.pairs else "")
    if metavar:
        attributes["metavar"] = metavar
    convert = about.convert or (partial(named_values, option=flag) if parameter.pairs else None)
    if convert:
        attributes["callback"] = partial(_converted, convert)
    if about.argument or (positional and required and not about.flag):
        attributes["required"] = about.required if parameter.several else required
        attributes["nargs"] = -1 if parameter.several or about.repeated else 1
        argument = click.argument(name, **attributes)
        if not about.flag:
            return argument
        its_flags = [about.flag, *about.short.split(), f"{name}{BY_FLAG}"]
        by_flag = click.option(
            *its_flags,
            type=attributes["type"],
            help=about.help,
            show_default=about.default or False,
        )
        return lambda function: argument(by_flag(function))
    if parameter.kind is bool:
        del attributes["type"]
        if "/" not in about.flag:
            attributes["is_flag"] = True
        attributes["default"] = default  # click takes a flag without one for False
    if about.negates:
        attributes |= {"flag_value": False, "default": True}
    if parameter.several and not about.commas:
        attributes["multiple"] = True
    if about.variable:
        attributes |= {"envvar": about.variable, "show_envvar": True}
    if required or (about.required and not parameter.several):
        attributes["required"] = True
    elif default is not None and default != "" and default != ():
        several = about.commas and not isinstance(default, str)
        attributes["default"] = ",".join(map(str, default)) if several else default
    its_flags = [flag, *about.short.split(), *flags]
    called = [] if flags and not flags[-1].startswith("-") else [name]
    shown = about.default if default != about.default else ""
    attributes |= {"help": about.help, "show_default": shown or not about.negates}
    return click.option(*its_flags, *called, **{**attributes, **(stated or {})})


def merged(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that were named, those of arguments' flags in the arguments' places."""
    named = {name: value for name, value in values.items() if value not in (None, ())}
    for name in [name for name in named if name.endswith(BY_FLAG)]:
        place = name.removesuffix(BY_FLAG)
        if place in named:
            raise click.UsageError(f"{place.upper()} is named twice.", click.get_current_context())
        named[place] = named.pop(name)
    return named


def _converted(convert: Callable[[Any], Any], _context: object, _option: object, value: Any) -> Any:
    return value if value in (None, ()) else convert(value)


class _Several(click.ParamType):  # type: ignore[type-arg]
    """Values between commas, as 50,100,200 or one,other."""

    def __init__(self, of: click.ParamType) -> None:  # type: ignore[type-arg]
        self.of = of
        self.name = of.name

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """Return what stands for a value in the help: the choices, where there are some."""
        return self.of.get_metavar(param, ctx)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Any, ...]:
        """Return the values, each checked."""
        if isinstance(value, tuple):
            return value
        texts = (text.strip() for text in str(value).split(","))
        return tuple(self.of.convert(text, param, ctx) for text in texts if text)


def _type(parameter: Parameter) -> Any:
    """Return click's type of one value, or of several between commas."""
    about, kind = parameter.option, parameter.kind
    made: Any = kind
    if about.names:
        made = _NameOfKind("text") if about.names == "kind" else _NAMES[about.names]
    elif about.choices or get_origin(kind) is Literal:
        made = click.Choice(about.choices or get_args(kind))
    elif kind is Path:
        made = {"file": FILE, "folder": FOLDER}.get(about.path, PATH)
    elif about.low is not None or about.high is not None:
        within: Any = click.IntRange if kind is int else click.FloatRange
        open_ends = {"min_open": True, "max_open": True} if about.open else {}
        made = within(about.low, about.high, **open_ends)
    return _Several(click.types.convert_type(made)) if about.commas else made


def format_option(*formats: str, **stated: Any) -> Decorator:
    """Return the option --format, of a result that may have these formats."""
    return option("format", "format_name", choices=formats, **stated)


def comma_separated(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> list[str]:
    """Return the names in a text such as one,other: a callback of options."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def complete(ctx: click.Context, kind: str, incomplete: str) -> list[CompletionItem]:
    """Return names in the program's database that begin so; see schema.names.names_beginning."""
    from ...schema.names import names_beginning

    database = ctx.find_root().params.get("database")
    if not isinstance(database, str | Path) or served_address(str(database)):
        return []
    names = names_beginning(Path(database), kind, incomplete)
    return [CompletionItem(name) for name in names]


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
        help="Analyser that tokenises and lemmatises outputs.",
    )(function)
