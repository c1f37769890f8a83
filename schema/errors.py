"""Errors that a user of the tracker can cause, each with the exit code the command line returns."""

from __future__ import annotations


class TrackerError(Exception):
    """Something a user can put right: what is wrong, where, and what to do about it."""

    exit_code = 2

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        lines = [self.message]
        if self.where:
            lines.append(f"  where: {self.where}")
        if self.hint:
            lines.append(f"  to do: {self.hint}")
        return "\n".join(lines)


class InputError(TrackerError):
    """A file or a value the user gave cannot be used."""


class UnknownNameError(TrackerError):
    """A treebank, submission, view or the like that the database does not hold."""


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


class DatabaseBusyError(DatabaseUnavailableError):
    """Another process holds the database file."""
