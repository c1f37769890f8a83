"""The tables of a database, each defined once: a class whose docstring says what one row is.

Here is what tables are made of (their two kinds, and columns of which each says what it holds), and
the SQL that makes them.
"""

from __future__ import annotations

import inspect
import re
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import duckdb
import sqlalchemy
from duckdb_engine import Dialect
from sqlalchemy.orm import declared_attr
from sqlalchemy.types import UserDefinedType
from sqlmodel import Field, SQLModel

from ..statements import quoted
from ..themes import modules


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


_CORE = ("campaign", "human", "score", "change")


def themes() -> list[tuple[ModuleType, list[type[Table]]]]:
    """Return the modules that define tables, each with its classes: the core's, then themes'."""
    core = [import_module(f"{__name__}.{name}") for name in _CORE]
    return [
        (
            module,
            [
                table
                for table in vars(module).values()
                if isinstance(table, type) and table.__module__ == module.__name__
            ],
        )
        for module in (*core, *modules("schema", "tables"))
    ]


def create_tables() -> str:
    """Return the SQL that makes all tables, with what their rows and columns are as comments."""
    return "\n".join(_create_table(table) for _, tables in themes() for table in tables)


def stored(table: type[Table]) -> sqlalchemy.Table:
    """Return what SQLAlchemy knows of a class's table."""
    return table.__table__  # type: ignore[attr-defined,no-any-return]


def description(table: type[Table]) -> str:
    """Return what one row of a table is, in one line."""
    text = " ".join(inspect.cleandoc(table.__doc__ or "").split())
    return text[:1].lower() + text[1:]


def references(table: type[Table]) -> list[tuple[sqlalchemy.Column[Any], str]]:
    """Return the columns of a table that refer to another one, each with its name."""
    return [(column, column.info["of"]) for column in stored(table).columns if column.info["of"]]


def type_of(column: sqlalchemy.Column[Any]) -> str:
    """Return the name that DuckDB itself gives to a column's type."""
    return _type_name(column.type.compile(dialect=Dialect()))


@cache
def _type_name(declared: str) -> str:
    (name,) = duckdb.execute(f"SELECT typeof(NULL::{declared})").fetchone() or ("",)
    return str(name)


def _create_table(table: type[Table]) -> str:
    columns = stored(table).columns
    key = [column.name for column in stored(table).primary_key]
    enforced = issubclass(table, Entity)
    after = [f"    PRIMARY KEY ({', '.join(key)})"] if enforced and len(key) > 1 else []
    name_width = max(len(column.name) for column in columns)
    lines = []
    for number, column in enumerate(columns, start=1):
        words = [f"    {column.name:<{name_width}} ", type_of(column)]
        words += ["NOT NULL"] if not column.nullable else []
        words += ["PRIMARY KEY"] if enforced and key == [column.name] else []
        default = column.info["default"]
        words += [f"DEFAULT {quoted(default)}"] if default is not None else []
        lines.append(" ".join(words) + ("," if after or number < len(columns) else ""))
    width = max(len(line) for line in lines)
    return "\n".join(
        [
            f"-- {stored(table).name}: {description(table)}",
            f"-- grain: {', '.join(key)}",
            f"CREATE TABLE {stored(table).name} (",
            *(
                f"{line:<{width}}  -- {column.comment}"
                for line, column in zip(lines, columns, strict=True)
            ),
            *after,
            ");\n",
        ]
    )
