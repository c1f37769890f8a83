"""The tables are those of the classes: in databases, in the keys and the docs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from duckdb_engine import Dialect
from sqlmodel import SQLModel

from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.keys import natural_keys
from sr_tracker.schema.migrate import tables
from sr_tracker.schema.tables import campaign, change, human, score
from sr_tracker.schema.themes import modules
from tests.references import DOCS, TABLES

PAGE = DOCS / TABLES
MODULES = (campaign, human, score, change, *modules("schema", "tables"))
CLASSES = SQLModel.metadata.tables
"""What SQLModel makes of the classes, by the names of their tables."""
KEYED = {
    made.__tablename__
    for module in MODULES
    for made in vars(module).values()
    if isinstance(made, type) and issubclass(made, campaign.Entity) and made is not campaign.Entity
}


def test_a_database_has_of_each_class_what_sqlmodel_makes_of_it(database: Database) -> None:
    stored = database.connection.execute(
        "SELECT table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns() "
        "SEMI JOIN duckdb_tables() USING (table_name) ORDER BY table_name, column_index"
    ).fetchall()
    columns = [(name, column) for name in sorted(CLASSES) for column in CLASSES[name].columns]
    types = [column.type.compile(dialect=Dialect()) for _, column in columns]
    of_nulls = duckdb.sql(f"SELECT {', '.join(f'typeof(NULL::{item})' for item in types)}")
    (names,) = of_nulls.fetchall()
    declared = [
        (table, item.name, name, item.nullable, item.comment)
        for (table, item), name in zip(columns, names, strict=True)
    ]
    assert stored == declared


@pytest.mark.parametrize("name", sorted(natural_keys()))
def test_keys_are_those_of_the_class_and_never_null(name: str) -> None:
    assert tuple(column.name for column in CLASSES[name].primary_key) == natural_keys()[name]
    assert not any(column.nullable for column in CLASSES[name].primary_key)


def test_the_database_keeps_the_keys_of_single_objects_and_nothing_else(database: Database) -> None:
    constraints = database.connection.execute(
        "SELECT constraint_type, table_name, constraint_column_names FROM duckdb_constraints()"
    ).fetchall()
    assert {kind for kind, *_ in constraints} == {"PRIMARY KEY", "NOT NULL"}
    assert {table: tuple(key) for kind, table, key in constraints if kind == "PRIMARY KEY"} == {
        name: natural_keys()[name] for name in KEYED
    }


def test_every_table_and_column_has_a_comment(database: Database) -> None:
    silent = database.connection.execute(
        "SELECT table_name FROM duckdb_tables() WHERE comment IS NULL UNION ALL "
        "SELECT table_name || '.' || column_name FROM duckdb_columns() "
        "WHERE NOT internal AND comment IS NULL AND table_name NOT IN ("
        "SELECT view_name FROM duckdb_views() WHERE comment LIKE 'the old name of %')"
    ).fetchall()
    assert silent == []


def test_comments_are_what_the_classes_say(database: Database) -> None:
    stored = database.connection.execute(
        "SELECT comment FROM duckdb_columns() "
        "WHERE table_name = 'sentence_score' AND column_name = 'score'"
    ).fetchone()
    assert stored == ("the score; 0 for a missing output, NULL where undefined",)
    row = database.connection.execute(
        "SELECT comment FROM duckdb_tables() WHERE table_name = 'reference_edge'"
    ).fetchone()
    assert row is not None
    assert row[0].endswith("after punctuation is stripped (the root has none).")


@pytest.mark.parametrize("name", sorted(natural_keys()))
def test_what_a_table_refers_to_has_such_a_key(name: str) -> None:
    columns = CLASSES[name].columns
    for column, target in tables()[name].refers.items():
        key = natural_keys()[target]
        others = CLASSES[target].columns
        if len(key) == 1:
            assert str(columns[column].type) == str(others[key[0]].type)
        else:
            assert column in key
            assert [str(columns[part].type) for part in key] == [
                str(others[part].type) for part in key
            ]


def test_the_example_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_database("campaign.duckdb") as database:
        database.connection.execute("INSERT INTO system (system_id, kind) VALUES ('IMS', 'team')")
    page = PAGE.read_text(encoding="utf-8")
    exec(page.partition("```python\n")[2].partition("```")[0], {})  # noqa: S102
    with open_database("campaign.duckdb", read_only=True) as database:
        families = database.connection.execute("SELECT system_id, family FROM system").fetchall()
    assert families == [("IMS", "Stuttgart")]


def test_opening_a_database_does_without_the_classes() -> None:
    opening = (
        "import sys; from sr_tracker.schema.database import open_database\n"
        "from sr_tracker.schema.keys import natural_keys; natural_keys()\n"
        "open_database(None).close()\n"
        "print({'sqlmodel', 'sqlalchemy', 'pandas', 'sr_tracker.schema.tables'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", opening], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"
