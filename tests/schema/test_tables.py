"""The classes, the migrations and the keys describe the same tables."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest
from duckdb_engine import Dialect
from sqlmodel import SQLModel

import sr_tracker.schema
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.keys import KEYS
from sr_tracker.schema.migrate import migrations

for module in pkgutil.iter_modules(sr_tracker.schema.__path__):
    importlib.import_module(f"sr_tracker.schema.{module.name}")

TABLES = SQLModel.metadata.tables


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    with open_database(None) as database:
        yield database


def columns_in_database(database: Database, table: str) -> list[tuple[str, str, bool]]:
    return database.connection.execute(
        "SELECT column_name, data_type, is_nullable FROM duckdb_columns() "
        "WHERE table_name = ? AND NOT internal ORDER BY column_index",
        [table],
    ).fetchall()


def test_database_classes_and_keys_have_the_same_tables(database: Database) -> None:
    stored = database.connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    assert {name for (name,) in stored} == set(TABLES) == set(KEYS)


@pytest.mark.parametrize("name", sorted(KEYS))
def test_columns_are_the_same_in_class_and_database(database: Database, name: str) -> None:
    dialect = Dialect()
    mapped = []
    for column in TABLES[name].columns:
        declared = column.type.compile(dialect=dialect)
        (type_name,) = database.connection.execute(
            f"SELECT typeof(NULL::{declared})"
        ).fetchone() or ("",)
        mapped.append((column.name, type_name, column.nullable))
    assert mapped == columns_in_database(database, name)


@pytest.mark.parametrize("name", sorted(KEYS))
def test_keys_are_those_of_the_class_and_never_null(database: Database, name: str) -> None:
    assert tuple(column.name for column in TABLES[name].primary_key.columns) == KEYS[name]
    nullable = {column for column, _, nullable in columns_in_database(database, name) if nullable}
    assert not nullable & set(KEYS[name])


def test_declared_primary_keys_are_the_keys(database: Database) -> None:
    declared = dict(
        database.connection.execute(
            "SELECT table_name, constraint_column_names FROM duckdb_constraints() "
            "WHERE constraint_type = 'PRIMARY KEY'"
        ).fetchall()
    )
    assert declared
    assert {table: tuple(columns) for table, columns in declared.items()} == {
        table: KEYS[table] for table in declared
    }


def test_no_constraint_but_keys_and_not_null(database: Database) -> None:
    kinds = database.connection.execute(
        "SELECT DISTINCT constraint_type FROM duckdb_constraints()"
    ).fetchall()
    assert {kind for (kind,) in kinds} == {"PRIMARY KEY", "NOT NULL"}


def test_every_table_and_column_has_a_comment(database: Database) -> None:
    silent = database.connection.execute(
        "SELECT table_name FROM duckdb_tables() WHERE comment IS NULL UNION ALL "
        "SELECT table_name || '.' || column_name FROM duckdb_columns() "
        "WHERE NOT internal AND comment IS NULL"
    ).fetchall()
    assert silent == []


def test_comments_are_those_of_the_files(database: Database) -> None:
    stored = database.connection.execute(
        "SELECT comment FROM duckdb_columns() "
        "WHERE table_name = 'sentence_score' AND column_name = 'score'"
    ).fetchone()
    assert stored == ("the score; 0 for a missing output, NULL where undefined",)


def test_migrations_are_numbered_without_gaps_and_name_their_table() -> None:
    from importlib.resources import files

    names = sorted(
        entry.name
        for entry in files("sr_tracker.schema").joinpath("migrations").iterdir()
        if entry.name.endswith(".sql")
    )
    assert [int(name.split("_")[0]) for name in names] == list(range(1, len(names) + 1))
    for name, migration in zip(names, migrations(), strict=True):
        assert re.fullmatch(rf"\d{{4}}_{migration.name}\.sql", name)
