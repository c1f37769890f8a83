"""A command made of a function: its parameters, and the fields of its settings, are the options."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache, cached_property, partial
from importlib import import_module
from inspect import Parameter, cleandoc, signature, unwrap
from operator import attrgetter
from pathlib import Path
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints, is_typeddict

import click
from click.core import ParameterSource

from ...schema.errors import InputError
from ...schema.parameters import Option, parameter_of
from ..api.methods import presets_of
from .context import Context, SentCommand, as_of_option, asking_options, pass_context
from .options import CHART, NO_DEFAULT, Decorator, analyser_options, annotated, merged, option
from .output import (
    DOCUMENT_FORMATS,
    ENCODED,
    Destination,
    document_options,
    document_or,
    output_options,
    write_content,
    write_document,
    write_rows,
)
from .shown import STDOUT, Shown, Values, call_with, document_of

if TYPE_CHECKING:
    from ..api.tracker import Tracker

_PYTHON_ALONE = re.compile(r"\n\n(?=>>> |Returns? |Raises )")
PASSED_ON = ("tracker", "self", "progress")
"""Parameters that are no options; nor are those of Python alone, of which no Option says what they
are."""
ANALYSED = ("analyser", "model")
"""The options of what turns output text into words."""


class OperationCommand(SentCommand):
    """A command that was made of an operation."""

    operation: Operation


@dataclass(frozen=True)
class Operation:
    """What ``operation`` was called with."""

    function: Callable[..., Any]
    shown: Shown
    kind: type[Any] | None = None
    """The class of the settings, where the function's annotation does not name it while it runs."""
    chosen: Sequence[str] | None = None
    """The fields of the settings that are options; None for all."""
    method: str = ""
    """The method of a Tracker, as meaning.score."""
    title: str = ""
    """What progress is called."""
    how: Values = field(default_factory=dict)
    """How the database is opened, see ``Context.tracker``."""
    creating: str = ""
    """The option with which the command makes a database where there is none."""
    analysed: bool = False
    """Whether the command takes what turns output text into words."""

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters of the function."""
        return signature(self.function).parameters

    @cached_property
    def settings_name(self) -> str:
        """The parameter that takes settings, or a mapping of their fields; empty without one."""
        hints = _hints(self.function).items()
        return next((name for name, hint in hints if Mapping[str, Any] in get_args(hint)), "")

    @cached_property
    def settings(self) -> type[Any] | None:
        """The class of the settings, of which ``fields`` are fields."""
        kinds = (self.kind, *get_args(_hints(self.function).get(self.settings_name)))
        classes = (kind for kind in kinds if isinstance(kind, type) and kind is not _Unknown)
        return next((kind for kind in classes if is_dataclass(kind)), None)

    @cached_property
    def annotations(self) -> dict[str, Any]:
        """What the parameters that are arguments or options are annotated with."""
        return {name: annotation for name, (annotation, _) in self._taken()}

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """What these parameters are without a value; ``NO_DEFAULT`` of one that is needed."""
        return {name: default for name, (_, default) in self._taken()}

    @cached_property
    def repeated(self) -> str:
        """The parameter of which the command takes several, one after the other, or none."""
        return next(
            (
                name
                for name, annotation in self.annotations.items()
                if parameter_of(annotation).option.repeated
            ),
            "",
        )

    def _taken(self) -> Iterator[tuple[str, tuple[Any, Any]]]:
        """Yield the name, the annotation and the default of each argument and option."""
        hints = _hints(self.function)
        for name, parameter in self.parameters.items():
            if name in (*PASSED_ON, self.settings_name):
                continue
            hint, kind = hints[name], parameter.kind
            default = NO_DEFAULT if parameter.default is Parameter.empty else parameter.default
            if kind is Parameter.VAR_KEYWORD:
                for fields_of in filter(is_typeddict, get_args(hint)):
                    for field, annotation in _hints(fields_of).items():
                        option = parameter_of(annotation).option
                        if option != Option():
                            yield field, (annotation, option.default or None)
            elif kind is Parameter.VAR_POSITIONAL:
                yield name, (GenericAlias(list, (hint,)), default)
            elif kind is not Parameter.KEYWORD_ONLY or parameter_of(hint).option != Option():
                yield name, (hint, default)

    @cached_property
    def fields(self) -> dict[str, tuple[Any, Any]]:
        """The annotation and the default of each field of the settings that is an option."""
        settings = self.settings
        if settings is None:
            return {}
        hints = get_type_hints(settings, include_extras=True)
        presets = tuple(presets_of(settings))
        preset = Option("Settings of a paper, before which other options go.", choices=presets)
        chosen = {"preset": (Annotated[str | None, preset], None)} if presets else {}
        return chosen | {
            item.name: (hints[item.name], NO_DEFAULT if item.default is MISSING else item.default)
            for item in fields(settings)
            if self.chosen is None or item.name in self.chosen
        }

    def options(self) -> list[Decorator]:
        """Return what adds the arguments and options, in the order in which help lists them."""
        made: list[Decorator] = []
        for name, annotation in self.annotations.items():
            if not (self.shown.asks and name == "dry_run"):
                parameter = self.parameters.get(name)
                positional = parameter and parameter.kind is not Parameter.KEYWORD_ONLY
                default = self.defaults[name]
                made.append(annotated(name, annotation, default, positional=bool(positional)))
        made += [annotated(name, *annotation) for name, annotation in self.fields.items()]
        shown = self.shown
        made += [
            annotated(name, own.annotation, own.default) for name, own in shown.options.items()
        ]
        made += [annotated(name, annotation) for name, (annotation, _) in shown.files.items()]
        return made

    def run(self, context: Context, to: Destination, values: dict[str, Any]) -> None:
        """Do it, and show what comes of it."""
        shown = self.shown
        opened = {name: values.pop(name) for name in ANALYSED if self.analysed}
        values = shown.prepare(merged(values))
        how = {**self.how, "create": True} if self.creating in values else self.how
        tracker = context.tracker(**how, **opened)
        values |= shown.passed(context, to)
        if shown.first:
            shown.first(context, tracker, values)
        if not self.repeated:
            self._do(context, to, tracker, values)
            return
        several = values[self.repeated]
        with tracker.writing() as database, context.progress(self.title) as progress:
            for done, one in enumerate(several):
                progress(Path(one).name, done, len(several))
                self._do(context, to, tracker, {**values, self.repeated: one})
                database.give_way()

    def _do(
        self, context: Context, to: Destination, tracker: Tracker, values: dict[str, Any]
    ) -> None:
        shown = self.shown
        files = {name: values.pop(name, None) for name in shown.files}
        raw_file = values.pop("to_file", None) if shown.raw else None
        view = {name: values.pop(name, None) for name in shown.options}
        chart, moment = values.pop("chart", None), values.pop("as_of", None)
        sure = values.pop("yes", False) or context.yes
        values |= shown.charted if chart else {}
        tried = values.get("dry_run", False)
        if shown.asks:
            values["dry_run"] = tried or not sure or shown.asks.always_tried
        function = partial(self._result, attrgetter(self.method)(tracker), context)
        with tracker.reading(as_of=moment) if moment else nullcontext():
            result = function(values)
        if shown.read:
            result = shown.read(tracker, result, {**values, **view})
        self._write_files(files, result, tracker)
        if shown.raw:
            write_content(shown.raw(result), raw_file)
        arguments = {**values, **view}
        if STDOUT not in files.values():
            self._show(context, to, result, view, arguments)
        if chart is not None and shown.chart:
            shown.chart(partial(context.draw, chart), result, values)
        if shown.asks and values["dry_run"] and not tried:
            question = call_with(shown.asks.question, result, arguments)
            tried = question is None or not (not question or context.agreed(question, yes=sure))
            if not tried:
                result = function({**values, **shown.asks.meant(result), "dry_run": False})
        if not tried and (text := call_with(shown.done, result, arguments)):
            context.say(text)
        if shown.then:
            shown.then(context, tracker, result, arguments)
        call_with(shown.finish, result, arguments)

    def _write_files(self, files: Values, result: Any, tracker: Tracker) -> None:
        """Write what options name files for. Raises InputError for two on stdout."""
        if [*files.values()].count(STDOUT) > 1:
            raise InputError("only one result fits on stdout", hint="name a file for the other")
        for name, (_, content) in self.shown.files.items():
            if files[name] is not None:
                written = call_with(content, result, {"tracker": tracker})
                write_content(written, None if files[name] == STDOUT else files[name])

    def _result(self, function: Callable[..., Any], context: Context, values: Values) -> Any:
        source = click.get_current_context().get_parameter_source
        named, first = dict(values), []
        settings = {name: named.pop(name) for name in self.fields if name in named}
        settings = {
            name: value
            for name, value in settings.items()
            if source(name) is not ParameterSource.DEFAULT
        }
        if "fields" in self.parameters:
            named |= settings
        elif self.fields:
            named[self.settings_name] = settings
        kinds = {parameter.kind for parameter in self.parameters.values()}
        if Parameter.VAR_POSITIONAL in kinds:
            for name, parameter in self.parameters.items():
                if parameter.kind is Parameter.VAR_POSITIONAL:
                    first += named.pop(name, ())
                elif parameter.kind is Parameter.POSITIONAL_OR_KEYWORD and name in named:
                    first.append(named.pop(name))
        if "progress" not in self.parameters:
            return function(*first, **named)
        with context.progress(self.title) as progress:
            return function(*first, progress=progress, **named)

    def _show(
        self, context: Context, to: Destination, result: Any, view: Values, arguments: Values
    ) -> None:
        shown = self.shown
        encoded = shown.encoded_notes(result) if to.format in ENCODED else ()
        for note in (*call_with(shown.notes, result, arguments), *encoded):
            context.say(note)
        for line in call_with(shown.lines, result, arguments):
            click.echo(line)
        if shown.aside and not context.quiet:
            from ..console import Console
            from ..show.text import print_table

            print_table(Console(stderr=True), shown.aside(result))
        if not (shown.document or shown.rows):
            return
        if to.format == "html":
            view = {**view, **shown.pages}
        document = partial(document_of, shown.document, result, view)
        whole = partial(call_with, shown.content or (lambda _: {}), result, arguments)
        if to.format == "picture" and to.file is not None:
            from ..show.charts import chart
            from ..show.charts.saving import save_chart

            save_chart(chart(*shown.picture(result)), to.file)
        elif not shown.rows or (shown.suffixes and to.format in DOCUMENT_FORMATS):
            write_document(context, to, document, whole)
        elif (rows := self._rows(to)(result)) is not None:
            made = document() if shown.document and to.format in ("table", "html") else None
            tables = partial(shown.tables, result) if shown.tables else None
            content = whole() if shown.content and to.format == "json" else None
            write_rows(
                rows,
                to,
                (lambda: made) if made else None,
                tables,
                None if content is None else lambda: content,
                raw=not shown.scores,
            )

    def _rows(self, to: Destination) -> Callable[[Any], Any]:
        on_stdout = to == Destination("table")
        return (on_stdout and self.shown.on_terminal) or self.shown.rows or tuple


def operation(
    function: Callable[..., Any],
    shown: Shown,
    *,
    settings: type[Any] | None = None,
    chosen: Sequence[str] | None = None,
    group: click.Group | None = None,
    theme: str = "",
    name: str = "",
    progress: str = "",
    as_of: bool = False,
    analysed: bool = False,
    creating: str = "",
    **how: Any,
) -> OperationCommand:
    """Return the command of a function of ``tracker.api``, which is a method of Tracker as well.

    Its arguments are the positional parameters, its options the others and the fields of the
    class of ``settings`` (``chosen`` names those that are options; the class is named here where
    its module takes long to import), as their annotations say
    (``schema.parameters``); its help is the docstring, up to what it returns. ``theme`` is the
    attribute of a Tracker that has the method, ``progress`` the title of the bar; with ``as_of``
    the command looks back by --as-of, with ``analysed`` it takes --analyser and --model.
    ``creating`` is the option with which it makes a database where there is none; ``how`` says
    how the database is opened otherwise.
    """
    theme = theme or getattr(group, "theme", "")
    method = f"{theme}.{function.__name__}".lstrip(".")
    called = function.__name__.removeprefix(f"{group.name}_" if group else "")
    name = name or called.replace("_", "-")
    made = Operation(
        function=function,
        shown=shown,
        kind=settings,
        chosen=chosen,
        method=method,
        title=progress or name,
        how=how,
        analysed=analysed,
        creating=creating,
    )

    written = shown.written and (shown.rows or shown.document)

    def run(context: Context, **values: Any) -> None:
        made.run(context, values.pop("to") if written else Destination(), values)

    command: Any = run
    if written:
        if shown.suffixes:
            command = document_or(shown.suffixes, shown.in_file, *shown.formats)(command)
        else:
            command = (output_options if shown.rows else document_options)(command)
    if shown.raw:
        command = option("output", "to_file")(command)
    if shown.asks:
        command = asking_options(command)
    if as_of:
        command = as_of_option(command)
    if analysed:
        command = analyser_options(command)
    if shown.chart:
        command = annotated("chart", CHART, stated=shown.chart_options)(command)
    for decorator in reversed(made.options()):
        command = decorator(command)
    help_text = _PYTHON_ALONE.split(cleandoc(function.__doc__ or ""), maxsplit=1)[0]
    result = click.command(name, cls=OperationCommand, help=help_text)(pass_context(command))
    result.operation = made
    if group is not None:
        group.add_command(result)
    return result


class _Module(type):
    def __getattr__(cls, name: str) -> Any:
        return object


class _Unknown(metaclass=_Module):
    """Stands for what only type checkers import, a class or a module: no option has its type."""


@cache
def _hints(of: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of a function, or of a class of keyword arguments."""
    there = vars(import_module(of.__module__)) if is_typeddict(of) else unwrap(of).__globals__
    names = {**vars(builtins), **there}
    while True:
        try:
            return get_type_hints(of, localns=names, include_extras=True)
        except NameError as error:
            names[error.name] = _Unknown
