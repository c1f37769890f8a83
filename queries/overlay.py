"""Other rows in place of tables or views, seen by all views: in a database in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from ..schema.database import Database
from ..schema.keys import KEYS
from .catalog import macros, views


def original(database: Database, table: str) -> str:
    """Return the SQL name by which a table of the database itself is read under an overlay."""
    return f"{database.catalog}.main.{table}"


@contextmanager
def overlaid(
    database: Database, *, tables: Mapping[str, str], views_of: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Let the block read what these queries give in place of the tables and views of their names.

    ``tables`` are filled once, ``views_of`` are views; a query may read those before it. All other
    views rest on them. Only this connection is concerned, which may be read-only; it must not write
    meanwhile.
    """
    connection = database.connection
    own = database.catalog
    overlay = f'{own[:-1]} overlaid"'
    instead = dict(views_of or {})
    rest = {name: f"FROM {own}.main.{name}" for name in KEYS.keys() - instead.keys()}
    connection.execute(f"ATTACH ':memory:' AS {overlay} (READ_WRITE)")
    try:
        connection.execute(f"USE {overlay}")
        for macro in macros():
            connection.execute(macro.text)
        for name, query in tables.items():
            connection.execute(f"CREATE TABLE {name} AS {query}")
        for name, query in {**instead, **rest}.items():
            connection.execute(f"CREATE VIEW {name} AS {query}")
        for view in views():
            if view.name not in tables:
                connection.execute(view.text)
        yield
    finally:
        connection.execute(f"USE {own}")
        connection.execute(f"DETACH {overlay}")
