"""Packages that not everybody needs: what is said where a command needs one that is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from inspect import isfunction
from typing import TypeVar

from .errors import MissingDependencyError

EXTRAS = {
    "ufal": "udpipe",
    "stanza": "stanza",
    "spacy": "spacy",
    "torch": "form",
    "transformers": "form",
    "sentence_transformers": "vectors",
    "duckdb_extension_ducklake": "lake",
    "duckdb_extension_postgres_scanner": "lake",
    "duckdb_extension_httpfs": "lake",
    "distributed": "dask",
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
