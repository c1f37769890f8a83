"""Column types that SQLModel does not map to DuckDB's by itself."""

from __future__ import annotations

from typing import Any

import sqlalchemy
from sqlalchemy.types import UserDefinedType
from sqlmodel import Field


class ListOf(UserDefinedType[list[Any]]):
    """A DuckDB list column, such as ``VARCHAR[]``."""

    cache_ok = True

    def __init__(self, element: str) -> None:
        self.element = element

    def get_col_spec(self, **_: Any) -> str:
        """Return the type's name in SQL."""
        return f"{self.element}[]"


def key() -> Any:
    """Return a field that is part of the row's natural key."""
    return Field(primary_key=True)


def double(*, default: Any = ...) -> Any:
    """Return a field of 8 bytes; a plain ``float`` would map to 4."""
    return Field(default=default, sa_type=sqlalchemy.Double)


def list_of(element: str, *, nullable: bool = False) -> Any:
    """Return a field that holds a list of ``element``."""
    return Field(default=None if nullable else ..., sa_type=ListOf(element), nullable=nullable)


def json_object() -> Any:
    """Return a field that holds a JSON object; it is empty where none is given."""
    return Field(default_factory=dict, sa_type=sqlalchemy.JSON, nullable=False)


def timestamp() -> Any:
    """Return a field that holds a point in time with its zone."""
    return Field(sa_type=sqlalchemy.TIMESTAMP(timezone=True))
