"""What tables are made of: their two kinds, and columns of which each says what it holds."""

from __future__ import annotations

import re
from typing import Any

import sqlalchemy
from sqlalchemy.orm import declared_attr
from sqlalchemy.types import UserDefinedType
from sqlmodel import Field, SQLModel


class Table(SQLModel):
    """A table of data, loaded in bulk: what stages its rows keeps their key, not the database."""

    @declared_attr.directive
    def __tablename__(cls) -> str:  # noqa: N805
        """Return the table's name: the class's in lower case, with a line between its words."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


class Entity(Table):
    """A table of single objects, whose key the database itself keeps."""


class ListOf(UserDefinedType[list[Any]]):
    """A DuckDB list column, such as ``VARCHAR[]``, or one of structs."""

    cache_ok = True

    def __init__(self, element: str) -> None:
        self.element = element

    def get_col_spec(self, **_: Any) -> str:
        """Return the type's name in SQL."""
        return f"{self.element}[]"


def column(
    description: str, *, of: str | None = None, default: str | None = None, **how: Any
) -> Any:
    """Return a field with what it holds; NULL is allowed where its annotation allows None.

    ``of`` is the table that it refers to, by the columns of that table's key: all of them have the
    same names here, but that a key of one column may have any. ``default`` is the database's too.
    ``how`` goes to SQLModel.
    """
    if "default_factory" not in how:
        how["default"] = default
    return Field(
        **how,
        description=description,
        sa_column_kwargs={"comment": description, "info": {"of": of, "default": default}},
    )


def key(description: str, *, of: str | None = None) -> Any:
    """Return a field that is part of the row's natural key."""
    return column(description, of=of, primary_key=True)


def double(description: str) -> Any:
    """Return a field of 8 bytes; a plain ``float`` would map to 4."""
    return column(description, sa_type=sqlalchemy.Double)


def list_of(element: str, description: str) -> Any:
    """Return a field that holds a list of ``element``, an SQL type."""
    return column(description, sa_type=ListOf(element))


def json_object(description: str) -> Any:
    """Return a field that holds a JSON object; it is empty where none is given."""
    return column(description, default_factory=dict, sa_type=sqlalchemy.JSON, nullable=False)


def timestamp(description: str) -> Any:
    """Return a field that holds a point in time with its zone."""
    return column(description, sa_type=sqlalchemy.TIMESTAMP(timezone=True))
