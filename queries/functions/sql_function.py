"""Vectorised functions that SQL calls while scoring, registered on a connection."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import duckdb


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
    create: Callable[..., Any] = connection.create_function
    known = {
        name
        for (name,) in connection.execute(
            "SELECT function_name FROM duckdb_functions() WHERE function_type = 'scalar'"
        ).fetchall()
    }
    for function in functions:
        if function.name not in known:
            known.add(function.name)
            create(
                function.name,
                _with_plain_signature(function),
                list(function.parameters),
                function.returns,
                type="arrow",
                null_handling="special",
            )


def _with_plain_signature(function: SqlFunction) -> Callable[..., Any]:
    """Return the function without annotations: DuckDB would evaluate them."""

    def call(*columns: Any) -> Any:
        return function.function(*columns)

    names = [f"column_{number}" for number in range(len(function.parameters))]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, kind) for name in names]
    )
    return call
