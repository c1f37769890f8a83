"""Errors that a user can cause, each with its exit code, and how text from outside is shown.

Also what is said where a command needs a package that not everybody needs, and it is missing.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from inspect import isfunction
from typing import TypeVar

HALF_A_PAIR = re.compile("[\ud800-\udfff]")
"""Halves of surrogate pairs: Python's text may hold them, no file, table or query can."""

_CONTROLS = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421, 9: 0x20, 10: 0x20}
_CONTROLS |= dict.fromkeys(
    [*range(0x80, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A), *range(0xD800, 0xE000)],
    0xFFFD,
)


def visible(text: str) -> str:
    """Return text as one line with its control characters shown.

    They could steer or scramble a terminal; halves of surrogate pairs could not be written.
    """
    return text if text.isprintable() else text.translate(_CONTROLS)


def visible_lines(text: str) -> str:
    """Return text as ``visible`` does, its line ends kept."""
    return text if text.isprintable() else "\n".join(map(visible, text.split("\n")))


class TrackerError(Exception):
    """Something a user can put right: what is wrong, where, and what to do about it.

    As text it is safe to print, whatever the names and values in it are.
    """

    exit_code = 2

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        lines = [visible_lines(self.message)]
        if self.where:
            lines.append(f"  where: {visible(self.where)}")
        if self.hint:
            lines.append(f"  to do: {visible_lines(self.hint)}")
        return "\n".join(lines)


class InputError(TrackerError):
    """A file or a value the user gave cannot be used."""


class ConflictError(InputError):
    """Two databases have something of one name, with other content."""


class UnknownNameError(TrackerError):
    """A treebank, submission, view or the like that the database does not hold."""


class PluginError(InputError):
    """A package that brings metrics fails, or brings what is none."""

    exit_code = 4


class MissingDependencyError(TrackerError):
    """An optional package or a model that the request needs is not there."""


class QueryError(TrackerError):
    """An ad-hoc query that is wrong, not allowed, or took too long."""


class CheckFailedError(TrackerError):
    """An audit or a gate found what it must not find."""

    exit_code = 1


class DatabaseUnavailableError(TrackerError):
    """The database file cannot be opened: missing, in use, or of another version."""

    exit_code = 3


class ReadOnlyError(DatabaseUnavailableError):
    """The database is open for reading, and this writes."""


class OutOfMemoryError(DatabaseUnavailableError):
    """The memory that the process may have does not do."""


class DatabaseBusyError(DatabaseUnavailableError):
    """Another process holds the database file."""


def first_line(error: BaseException) -> str:
    """Return the first line of an error's text."""
    return str(error).strip().split("\n", 1)[0]


_MEMORY = (
    *("Out of Memory", "Allocation failure", "bad_alloc", "can't start new thread"),
    "failed to map segment",  # of a library that is loaded; who loads it may speak of its file
)
_REMEDIES = {
    errno.ENOSPC: "make room on the disk, then run the command again",
    errno.EDQUOT: "make room within your quota, then run the command again",
    errno.EFBIG: "allow larger files (ulimit -f), then run the command again",
    errno.EMFILE: "allow more open files (ulimit -n), then run the command again",
    errno.ENFILE: "close programs that hold many files, then run the command again",
    errno.EIO: "the disk cannot be read or written: check it, and restore a copy",
}


def is_want_of_memory(error: BaseException) -> bool:
    """Return whether an error of the system or of DuckDB says that memory does not do."""
    text = f"{error} {error.__context__}"
    reasons = (*_MEMORY, os.strerror(errno.ENOMEM))
    return isinstance(error, MemoryError) or any(reason in text for reason in reasons)


def remedy(error: BaseException) -> str | None:
    """Return what to do where an error has the system's reason in its text, None without one."""
    text = str(error)
    return next((what for code, what in _REMEDIES.items() if os.strerror(code) in text), None)


def check_choices(*choices: tuple[str, str, Collection[str]], where: str | None = None) -> None:
    """Raise InputError for the first choice, given by its name, that is not among those known."""
    for name, value, there in choices:
        if value not in there:
            hint = f"choose from {', '.join(there)}"
            raise InputError(f"'{value}' is no {name}", where=where, hint=hint)


EXTRAS = {
    "ufal": "udpipe",
    "stanza": "stanza",
    "spacy": "spacy",
    "torch": "form",
    "transformers": "form",
    "sentence_transformers": "vectors",
    "sentencepiece": "spbleu",
    "py3langid": "language",
    "duckdb_extension_ducklake": "lake",
    "duckdb_extension_postgres_scanner": "lake",
    "duckdb_extension_httpfs": "lake",
    "distributed": "dask",
    "grpc": "ray",
    "ray": "ray",
}
"""Modules, each with the extra of pyproject.toml that installs it."""

Class = TypeVar("Class", bound=type)


@contextmanager
def optional_packages(otherwise: str | None = None) -> Iterator[None]:
    """Raise MissingDependencyError where the block imports an optional package that is missing.

    ``otherwise`` says what the user may do without it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        raise MissingDependencyError(
            f"this needs the package {package}, which is not installed",
            hint=f"pip install 'sr-tracker[{EXTRAS[package]}]'"
            + (f", or {otherwise}" if otherwise else ""),
        ) from error


def require(module: str, otherwise: str | None = None) -> None:
    """Raise MissingDependencyError where an optional package is missing, without importing it."""
    with optional_packages(otherwise):
        try:
            spec = find_spec(module)
        except ValueError:  # it was hidden: None stands in its place
            spec = None
        if spec is None:
            raise ModuleNotFoundError(name=module)


def telling_what_is_missing(of: Class) -> Class:
    """Return a class whose public methods raise MissingDependencyError for optional packages."""
    for name, member in list(vars(of).items()):
        if isfunction(member) and not name.startswith("_"):
            setattr(of, name, optional_packages()(member))
    return of
