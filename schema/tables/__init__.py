"""The tables of a database, each defined once: a class whose docstring says what one row is.

Here is what tables are made of: their two kinds, and columns of which each says what it holds.
``schema.migrate`` reads the classes without importing them, so that arguments are plain values.
"""

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
        sa_column_kwargs={"comment": description, "info": {"of": of}},
    )


def key(description: str, *, of: str | None = None) -> Any:
    """Return a field that is part of the row's natural key."""
    return column(description, of=of, primary_key=True)


class OfSentence(Table):
    """A table of what is told of reference sentences: its rows begin with the sentence."""

    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence", of="sentence")


class OfOutput(Table):
    """A table of what was computed of outputs: its rows begin with how, and the output."""

    signature_id: str = key("how it was computed", of="signature")
    submission_id: str = key("the submission")
    sentence_no: int = key("the sentence", of="output")


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
