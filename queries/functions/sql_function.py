"""Vectorised functions that SQL calls while scoring, registered on a connection."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import duckdb

from ...schema.statements import released

# Ctrl-C breaks off what the main thread does, wherever it is: within an import or a compilation
# the lock would stay taken, and DuckDB's other threads, in the same function, wait for ever.
_BESIDE_MAIN_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sql_function")


@dataclass(frozen=True)
class SqlFunction:
    """A vectorised function that SQL may call while scoring: Arrow columns in, Arrow array out."""

    name: str
    function: Callable[..., Any]
    parameters: Sequence[str]
    """SQL types of the parameters."""
    returns: str
    """SQL type of the result."""


def later(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module that is imported when it is called: what it needs takes long.

    ``module`` is named from this package.
    """

    def call(*columns: Any) -> Any:
        return getattr(import_module(f"{__package__}.{module}"), name)(*columns)

    return call


def register(connection: duckdb.DuckDBPyConnection, functions: Sequence[SqlFunction]) -> None:
    """Register vectorised functions; a function that is registered already stays as it is."""
    create: Callable[..., Any] = released(connection).create_function
    for function in functions:
        try:  # asking first which functions there are would take longer than all of this
            create(
                function.name,
                _as_duckdb_calls_it(function),
                list(function.parameters),
                function.returns,
                type="arrow",
                null_handling="special",
            )
        except (duckdb.CatalogException, duckdb.NotImplementedException) as error:
            if "already" not in str(error):
                raise


def _as_duckdb_calls_it(function: SqlFunction) -> Callable[..., Any]:
    """Return the function kept off the main thread, and without annotations to be evaluated."""

    def call(*columns: Any) -> Any:
        if threading.current_thread() is threading.main_thread():
            return _BESIDE_MAIN_THREAD.submit(function.function, *columns).result()
        return function.function(*columns)

    names = [f"column_{number}" for number in range(len(function.parameters))]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, kind) for name in names]
    )
    return call
