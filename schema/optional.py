"""Packages that not everybody needs: what is said where a command needs one that is missing."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from inspect import isfunction
from types import ModuleType
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


class _NotFound(MetaPathFinder):
    """Finds none of the modules that are passed over."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def find_spec(self, name: str, path: object, target: object = None) -> None:  # noqa: ARG002
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


_PASSED_OVER = _NotFound()


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
            found = find_spec(module)
        except ValueError:  # it was hidden: None stands in its place
            found = None
        if found is None:
            raise ModuleNotFoundError(name=module)


def telling_what_is_missing(of: Class) -> Class:
    """Return a class whose public methods raise MissingDependencyError for optional packages."""
    for name, member in list(vars(of).items()):
        if isfunction(member) and not name.startswith("_"):
            setattr(of, name, optional_packages()(member))
    return of


def pass_over_pandas(*, arrow: bool) -> None:
    """Let DuckDB, and Arrow if it is to, go without pandas, which takes half a second to import.

    DuckDB imports it at the first parameter that is bound, Arrow at the first list that becomes an
    array, both to know pandas' own values. They ask once in a process: here a module that has
    none. Who imports pandas later has it, Arrow included; of DuckDB, ``df()`` works no more, which
    is why this is for a program of our own.
    """
    if "pandas" in sys.modules:
        return
    import duckdb

    stand_in = ModuleType("pandas")
    vars(stand_in).update(NaT=object(), NA=object(), __version__="0")
    sys.modules["pandas"] = stand_in
    try:
        duckdb.ConstantExpression(0)
        if arrow:
            import pyarrow as pa

            with warnings.catch_warnings(action="ignore"):  # that this pandas is too old
                pa.array([0])
    finally:
        del sys.modules["pandas"]
    _PASSED_OVER.names.add("pandas")


@contextmanager
def without_what_is_passed_over() -> Iterator[None]:
    """Let the block's imports not find pandas, where the program goes without it.

    For a package that does without pandas where that is missing, as MLflow's small edition.
    """
    sys.meta_path.insert(0, _PASSED_OVER)
    try:
        yield
    finally:
        sys.meta_path.remove(_PASSED_OVER)
