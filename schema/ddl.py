"""The tables as SQL, made of their classes: what all migrations together must bring."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import duckdb
import sqlalchemy
from duckdb_engine import Dialect

from .statements import quoted
from .tables import themes
from .tables.columns import Entity, Table


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
