"""What methods have in common: what several take, and how long each holds the database's file."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import MISSING, fields
from functools import wraps
from inspect import unwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypedDict, TypeVar, cast

from ...queries.catalog import load_external_metrics
from ...queries.counting import Counting
from ...schema.errors import InputError, ReadOnlyError
from ...schema.iterations import Names
from ...schema.names import check_names
from ...schema.parameters import Option
from ...schema.sharing import SharedDatabase

if TYPE_CHECKING:
    from ...schema.database import Database
    from .tracker import Tracker


Chosen = TypeVar("Chosen")
Files = Path | str | Sequence[Path | str]
"""One file, or several."""
Fields = Mapping[str, Any]
"""Settings as a mapping of their fields."""


WhoCounts: TypeAlias = Annotated[
    Counting,
    Option(
        "Submissions that means and medians use: the newest, or all, iterations of teams' "
        "systems (where there are none, of baselines), or all that are selected.",
        flag="--who-counts",
    ),
]


def base_named(base: str | None, against: str | None) -> str | None:
    """Return the name of a base, which a caller may give by the old name of the parameter."""
    if against is None:
        return base
    from ...queries.catalog import ALIASES_END

    what = f"'against' is now called 'base'; the old name goes with {ALIASES_END}"
    warnings.warn(what, DeprecationWarning, stacklevel=3)
    return against


class Filters(TypedDict, total=False):
    """Which submissions: those that pass all of these, by ids or names as in schema.iterations."""

    submission: Annotated[
        Names,
        Option(
            "Only this submission: id, SYSTEM@3, SYSTEM@latest, SYSTEM@best:dea.",
            names="submission",
        ),
    ]
    campaign: Annotated[Names, Option("Only this campaign.", names="campaign")]
    year: Annotated[Names, Option("Only campaigns of this year.", names="year")]
    system: Annotated[Names, Option("Only this system.", names="system")]
    treebank: Annotated[Names, Option("Only this treebank: id, or en_ewt.", names="treebank")]
    language: Annotated[Names, Option("Only this language.", names="language")]


def named(filters: Filters) -> dict[str, Names]:
    """Return filters as the resolver takes them. Raises TypeError for one that there is not."""
    unknown = filters.keys() - Filters.__annotations__.keys()
    if unknown:
        names = ", ".join(Filters.__annotations__)
        raise TypeError(f"submissions are not chosen by {', '.join(sorted(unknown))}, but {names}")
    return cast(dict[str, Names], dict(filters))


def files_of(files: Files) -> list[Path]:
    """Return the paths of one file or of several. Raises InputError for what names none."""
    paths = [files] if isinstance(files, str | Path) else files
    try:
        return [*map(Path, paths)]
    except TypeError:
        raise InputError(
            f"{files!r} names no file", hint="give a path, or a list of them"
        ) from None


def presets_of(kind: Any) -> Mapping[str, Fields]:
    """Return what papers fix of settings of a class, by the papers' names."""
    return getattr(kind, "PRESETS", {})


def preset_of(kind: Any, name: str) -> Fields:
    """Return the fields that a paper fixes. Raises UnknownNameError for a paper that fixes none."""
    check_names("preset", [name], presets_of(kind))
    return presets_of(kind)[name]


def settings_of(
    kind: type[Chosen],
    settings: Chosen | Mapping[str, Any] | None,
    fields_of_kind: Mapping[str, Any] | None = None,
) -> Chosen:
    """Return settings: as they are, made of a mapping of their fields, or the defaults.

    ``fields_of_kind`` are fields by their names, which go before those of ``settings``. A
    ``preset`` among them names settings that a paper fixes, before which the others go. Raises
    InputError for what is neither, for a field that there is not, and for one that is missing.
    """
    its_fields = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    hint = f"its fields: {', '.join(its_fields)}"
    if isinstance(settings, kind):
        chosen = {name: getattr(settings, name) for name in its_fields}
    elif settings is None or isinstance(settings, Mapping):
        chosen = dict(settings or {})
    else:
        raise InputError(f"{settings!r} is no {kind.__name__} and no mapping", hint=hint)
    chosen |= fields_of_kind or {}
    if preset := chosen.pop("preset", None):
        chosen = {**preset_of(kind, preset), **chosen}
    unknown = sorted(chosen.keys() - its_fields.keys())
    if unknown:
        raise InputError(f"{kind.__name__} has no field '{unknown[0]}'", hint=hint)
    missing = [
        name
        for name, field in its_fields.items()
        if name not in chosen and field.default is MISSING and field.default_factory is MISSING
    ]
    if missing:
        raise InputError(f"{kind.__name__} lacks the field '{missing[0]}'", hint=hint)
    return kind(**chosen)


Method = TypeVar("Method", bound=Callable[..., Any])
READING: set[Callable[..., Any]] = set()
"""Functions of methods that change nothing that was stored: who may only read may call them."""
WRITING: set[Callable[..., Any]] = set()
"""Functions of methods that change what is stored, and nothing else: organisers may call them."""
STORING_SECONDS = 5.0
"""How long to wait for others before what was computed for a reader is told without storing it."""


class Theme:
    """Methods of a tracker that are about one theme."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker

    @property
    def database(self) -> Database:
        """The tracker's database."""
        return self._tracker.database


def reads(method: Method) -> Method:
    """Return a method of what has a database, with the file open for reading while it runs."""
    return tells(_holding(method, read_only=True))


def tells(method: Method) -> Method:
    """Return a method that opens the file for itself, as one that readers may call.

    It stores at most what it computed for them, and goes on where that cannot be stored.
    """
    READING.add(unwrap(method))
    return method


def writes(method: Method) -> Method:
    """Return a method of what has a database, with the file open for writing while it runs."""
    return changes(_holding(method, read_only=False))


def changes(method: Method) -> Method:
    """Return a method that opens the file for itself, as one that changes what is stored."""
    WRITING.add(unwrap(method))
    return method


@contextmanager
def holding(database: Database, *, read_only: bool) -> Iterator[None]:
    """Hold a database for a block, in which the metrics there are, are its own."""
    with database.opened(read_only=read_only):
        if not isinstance(database, SharedDatabase):  # opening a file heeds them
            load_external_metrics(database)
        yield


@contextmanager
def storing(tracker: Tracker) -> Iterator[Database]:
    """Hold the file, for writing, for a block that keeps what was computed for a reader.

    It waits for others ``STORING_SECONDS`` at most. Raises ReadOnlyError where nothing can be
    written, or the past is looked at, DatabaseBusyError where others hold the file.
    """
    if tracker.looks_back:
        raise ReadOnlyError("the database is read as it stood then", hint=None)
    shared = tracker.database if isinstance(tracker.database, SharedDatabase) else None
    hurried = shared.hurrying(STORING_SECONDS) if shared else nullcontext()
    with hurried, holding(tracker.database, read_only=False):
        yield tracker.database


def _holding(method: Method, *, read_only: bool) -> Method:
    @wraps(method)
    def held(owner: Any, *values: Any, **named: Any) -> Any:
        with holding(owner.database, read_only=read_only):
            return method(owner, *values, **named)

    return cast("Method", held)
