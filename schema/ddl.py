"""Writing down the tables as their classes define them, as SQL and as a page of the docs.

``python -m sr_tracker.schema.ddl`` does it, in the project's folder.

The baseline migration is made from the classes until a second migration is there: from then on it
stays as it is, and what a class gains is brought to databases by a migration written by hand.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import sqlalchemy
from duckdb_engine import Dialect

from sr_tracker.schema.migrate import migrations
from sr_tracker.schema.sqlfile import quoted
from sr_tracker.schema.tables import themes
from sr_tracker.schema.tables.columns import Entity, Table

FOLDER = Path(__file__).resolve().parent
BASELINE = FOLDER / "migrations" / "0001_baseline.sql"
REFERENCE = FOLDER.parent / "docs" / "tables.md"
_BY_HAND = "\n-- What follows is written by hand.\n"
_INTRODUCTION = """\
# Tables

A campaign database is a DuckDB file with these tables, and the views that are made of them
([Asking questions](querying.md)). Each table and column carries what is said here as its comment:
`SELECT * FROM duckdb_columns()` shows it in any DuckDB client.

The tables are defined once, by the classes in `schema/tables/`; `make tables` writes the baseline
migration and this page from them. As long as there is no other migration, a change of a class is
a change of the baseline. After that it needs a migration too, `schema/migrations/0002_WHAT.sql`
and so on: plain SQL that brings databases made before to what the classes say, with
`COMMENT ON COLUMN` for a new column and the form of the baseline for a new table. Opening a
database applies the migrations that it lacks, in one transaction, and leaves a copy of the file
as it was.

In Python a single row is an object of its class:

```python
from sqlmodel import select
from sr_tracker.schema.database import open_database
from sr_tracker.schema.tables.campaign import System

with open_database("campaign.duckdb") as database, database.session() as session:
    system = session.exec(select(System).where(System.system_id == "IMS")).one()
    system.family = "Stuttgart"
    session.commit()
```

## What refers to what

The tables that others refer to. A line ends at what refers: `o{` are any number of rows.

"""


def baseline() -> str:
    """Return the baseline migration: all tables, then what stands there by hand."""
    by_hand = BASELINE.read_text(encoding="utf-8").partition(_BY_HAND)[2]
    return create_tables() + _BY_HAND + by_hand


def create_tables() -> str:
    """Return the SQL that makes all tables, with what their rows and columns are as comments."""
    return "\n".join(_create_table(table) for _, tables in themes() for table in tables)


def reference() -> str:
    """Return the page of the tables, as Markdown with Mermaid diagrams."""
    of_all = [table for _, tables in themes() for table in tables]
    targets = {target for table in of_all for _, target in references(table)}
    sections = [
        _INTRODUCTION + _diagram(table for table in of_all if stored(table).name in targets)
    ]
    for module, tables in themes():
        title = (inspect.getdoc(module) or "").partition("\n")[0].removesuffix(".")
        sections += [f"## {title}\n\n{_diagram(tables)}", *map(_section, tables)]
    return "\n".join(sections)


def stored(table: type[Table]) -> sqlalchemy.Table:
    """Return what SQLAlchemy knows of a class's table."""
    return table.__table__  # type: ignore[attr-defined,no-any-return]


def description(table: type[Table]) -> str:
    """Return what one row of a table is, in one line."""
    told = " ".join(inspect.cleandoc(table.__doc__ or "").split())
    return told[:1].lower() + told[1:]


def references(table: type[Table]) -> list[tuple[sqlalchemy.Column[Any], str]]:
    """Return the columns of a table that refer to another one, each with its name."""
    return [(column, column.info["of"]) for column in stored(table).columns if column.info["of"]]


@cache
def type_name(declared: str) -> str:
    """Return the name that DuckDB itself gives to a type."""
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
        words = [f"    {column.name:<{name_width}} ", _type_of(column)]
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


def _type_of(column: sqlalchemy.Column[Any]) -> str:
    return type_name(column.type.compile(dialect=Dialect()))


def _diagram(tables: Iterable[type[Table]]) -> str:
    """Return the entity-relationship diagram of tables: their keys, and what they refer to."""
    boxes, lines = [], []
    for table in tables:
        name = stored(table).name
        keys = [f"        {_type_of(key)} {key.name} PK" for key in stored(table).primary_key]
        boxes += [f"    {name} {{", *keys, "    }"]
        lines += [
            f"    {target} {'|o' if column.nullable else '||'}--o{{ {name} : {column.name}"
            for column, target in references(table)
        ]
    return "\n".join(["```mermaid", "erDiagram", *boxes, *lines, "```", ""])


def _section(table: type[Table]) -> str:
    """Return what is said of a table: its rows, its key and each of its columns."""
    key = ", ".join(f"`{column.name}`" for column in stored(table).primary_key)
    targets = {column.name: f"[{target}](#{target})" for column, target in references(table)}
    rows = [
        f"| `{column.name}` | {_type_of(column)}{'' if column.nullable else ' NOT NULL'} "
        f"| {targets.get(column.name, '')} | {(column.comment or '').replace('|', '&#124;')} |"
        for column in stored(table).columns
    ]
    told = description(table)
    return "\n".join(
        [
            f"### {stored(table).name}\n",
            f"{told[:1].upper()}{told[1:]} Key: {key}.\n",
            "| column | type | refers to | what it holds |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def main() -> None:
    """Write the baseline migration and the page of the tables."""
    if len(migrations()) == 1:
        BASELINE.write_text(baseline(), encoding="utf-8")
    REFERENCE.write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
