"""The page of the tables: every one with its columns, and diagrams of what refers to what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.migrate import tables
from sr_tracker.schema.statements import SqlFile
from tests.markdown import table as markdown_table

_INTRODUCTION = """\
# Tables

A campaign database is a DuckDB file with these tables, and the views that are made of them
([Asking questions](querying.md)). Each table and column carries what is said here as its comment:
`SELECT * FROM duckdb_columns()` shows it in any DuckDB client.

The tables are defined once, by the classes in `schema/tables/` and, of themes, in
`schema/THEME/tables.py`: their source says what a new database is made with, and this page is
written from it by `make references`. A change of a class after a release needs a migration,
`schema/migrations/0008_WHAT.sql` and so on: plain SQL that brings databases made before to what the
classes say, with new columns at the end of their tables; comments come from the classes. Opening a
database applies the migrations that it lacks, in one transaction, and leaves a copy of the file as
it was. A database from before the first release has other tables: what opens it says how to load
its files again ([Upgrading](installing.md#upgrading)).

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


_Types = dict[tuple[str, str], tuple[str, bool]]
"""The type of each column, and whether it may be NULL, by table and column."""


def tables_page() -> str:
    """Return every table: what one row is, its key, and each column."""
    with open_database(None) as database:
        types = _types(database)
    of_all = tables().values()
    targets = {target for table in of_all for target in table.refers.values()}
    parts = [_INTRODUCTION, _diagram((table for table in of_all if table.name in targets), types)]
    for title, grouped in groupby(of_all, lambda table: table.group):
        of_group = [*grouped]
        parts += [f"## {title}", _diagram(of_group, types)]
        for table in of_group:
            parts += _table(table, types)
    return "\n\n".join(parts) + "\n"


def _types(database: Database) -> _Types:
    rows = database.connection.execute(
        "SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns()"
    ).fetchall()
    return {(table, column): (type_name, nullable) for table, column, type_name, nullable in rows}


def _diagram(of_tables: Iterable[SqlFile], types: _Types) -> str:
    """Return the entity-relationship diagram of tables: their keys, and what they refer to."""
    boxes, lines = [], []
    for table in of_tables:
        name = table.name
        keys = [f"        {types[name, key][0]} {key} PK" for key in table.grain]
        boxes += [f"    {name} {{", *keys, "    }"]
        lines += [
            f"    {target} {'|o' if types[name, column][1] else '||'}--o{{ {name} : {column}"
            for column, target in table.refers.items()
        ]
    return "\n".join(["```mermaid", "erDiagram", *boxes, *lines, "```"])


def _table(table: SqlFile, types: _Types) -> Iterator[str]:
    yield f"### {table.name}"
    description = table.description
    key = ", ".join(f"`{column}`" for column in table.grain)
    yield f"{description[:1].upper()}{description[1:]} Key: {key}."
    rows = []
    for column, meaning in table.column_comments.items():
        type_name, nullable = types[table.name, column]
        target = table.refers.get(column)
        link = f"[{target}](#{target})" if target else ""
        kind = type_name.lower() + ("" if nullable else " not null")
        rows.append((f"`{column}`", kind, link, meaning))
    yield markdown_table(("column", "type", "refers to", "meaning"), rows)
