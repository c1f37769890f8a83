"""The page of the tables: every one with its columns, and diagrams of what refers to what."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator

from sr_tracker.schema.tables import Table, description, references, stored, themes, type_of
from tests.markdown import table as markdown_table

_INTRODUCTION = """\
# Tables

A campaign database is a DuckDB file with these tables, and the views that are made of them
([Asking questions](querying.md)). Each table and column carries what is said here as its comment:
`SELECT * FROM duckdb_columns()` shows it in any DuckDB client.

The tables are defined once, by the classes in `schema/tables/` and, of themes, in
`schema/THEME/tables.py`. `schema/migrations/0001_tables.sql` is written from them, as this page is
by `make references`, and a test holds it to them. A change of a class after a release needs a
migration, `schema/migrations/0002_WHAT.sql` and so on: plain SQL that brings databases made before
to what the classes say, with `COMMENT ON COLUMN` for a new column at the end of its table, and the
form of the first for a new table, or one made anew. Opening a database applies the migrations that
it lacks, in one transaction, and leaves a copy of the file as it was. A database from before the
first release has other tables: what opens it says how to load its files again
([Upgrading](installing.md#upgrading)).

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

The tables that others refer to. A line ends at what refers: `o{` are any number of rows."""


def tables_page() -> str:
    """Return every table: what one row is, its key, and each column."""
    of_all = [table for _, tables in themes() for table in tables]
    targets = {target for table in of_all for _, target in references(table)}
    parts = [_INTRODUCTION, _diagram(table for table in of_all if stored(table).name in targets)]
    for module, tables in themes():
        title = (inspect.getdoc(module) or "").partition("\n")[0].removesuffix(".")
        parts += [f"## {title}", _diagram(tables)]
        for table in tables:
            parts += _table(table)
    return "\n\n".join(parts) + "\n"


def _diagram(tables: Iterable[type[Table]]) -> str:
    """Return the entity-relationship diagram of tables: their keys, and what they refer to."""
    boxes, lines = [], []
    for table in tables:
        name = stored(table).name
        keys = [f"        {type_of(key)} {key.name} PK" for key in stored(table).primary_key]
        boxes += [f"    {name} {{", *keys, "    }"]
        lines += [
            f"    {target} {'|o' if column.nullable else '||'}--o{{ {name} : {column.name}"
            for column, target in references(table)
        ]
    return "\n".join(["```mermaid", "erDiagram", *boxes, *lines, "```"])


def _table(table: type[Table]) -> Iterator[str]:
    yield f"### {stored(table).name}"
    told = description(table)
    key = ", ".join(f"`{column.name}`" for column in stored(table).primary_key)
    yield f"{told[:1].upper()}{told[1:]} Key: {key}."
    targets = {column.name: f"[{target}](#{target})" for column, target in references(table)}
    rows = [
        (
            f"`{column.name}`",
            type_of(column).lower() + ("" if column.nullable else " not null"),
            targets.get(column.name, ""),
            column.comment or "",
        )
        for column in stored(table).columns
    ]
    yield markdown_table(("column", "type", "refers to", "meaning"), rows)
