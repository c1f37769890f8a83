"""Databases of every released schema are opened and brought up to date."""

from __future__ import annotations

import lzma
from pathlib import Path

import duckdb
import pytest

import sr_tracker.schema.database
import sr_tracker.schema.migrate
from sr_tracker.queries.catalog import install, is_installed
from sr_tracker.queries.checks import run_audits
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import DatabaseUnavailableError
from sr_tracker.schema.keys import KEYS
from sr_tracker.schema.migrate import migrations, schema_version
from sr_tracker.schema.sqlfile import SqlFile
from sr_tracker.tracker.reading import read_view

FIXTURES = sorted(Path(__file__).with_name("fixtures").glob("schema-*.duckdb.xz"))
RELEASED = 28
"""Schema version of release 0.1.0, whose tables every fixture has."""
RELEASED_TABLES = {file.name for file in migrations()[:RELEASED]} - {
    *("schema_version", "campaign", "catalog")
}

ADDED = SqlFile(
    "annotation",
    "one row per remark on a submission.",
    "CREATE TABLE annotation (submission_id VARCHAR PRIMARY KEY, remark VARCHAR);\n"
    "INSERT INTO annotation SELECT submission_id, 'migrated' FROM submission",
    {"remark": "what is to be said of it"},
)
WIDENED = SqlFile(
    "campaign_url", "x", "ALTER TABLE campaign ADD COLUMN url VARCHAR DEFAULT 'none'", {}
)
BROKEN = SqlFile("broken", "x", "ALTER TABLE campaign ADD COLUMN missing_type nonsense", {})


@pytest.fixture(params=FIXTURES, ids=lambda path: path.name.partition(".")[0])
def released(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database of a released schema, unpacked."""
    path = tmp_path / "campaign.duckdb"
    path.write_bytes(lzma.decompress(request.param.read_bytes()))
    return path


def version_of(path: Path) -> int:
    with duckdb.connect(str(path), read_only=True) as connection:
        return schema_version(connection)


def use_migrations(monkeypatch: pytest.MonkeyPatch, chosen: list[SqlFile]) -> None:
    monkeypatch.setattr(sr_tracker.schema.migrate, "migrations", lambda: chosen)
    monkeypatch.setattr(sr_tracker.schema.database, "migrations", lambda: chosen)


def columns_of(connection: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """The columns of the released tables, as they are in this database."""
    rows = connection.execute(
        "SELECT table_name, list(column_name ORDER BY column_index) FROM duckdb_columns() "
        "WHERE NOT internal GROUP BY table_name"
    ).fetchall()
    return {table: columns for table, columns in rows if table in RELEASED_TABLES}


def rows_of(
    connection: duckdb.DuckDBPyConnection, columns: dict[str, list[str]]
) -> dict[str, list[str]]:
    """Every row of these columns, which a migration must not touch."""
    return {
        table: [
            repr(row)
            for row in connection.execute(
                f"SELECT {', '.join(names)} FROM {table} ORDER BY {', '.join(KEYS[table])}"
            ).fetchall()
        ]
        for table, names in columns.items()
    }


def leaderboard(database: Database) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = read_view(
        database, "leaderboard", order="submission_id"
    ).to_pylist()
    return rows


def test_there_is_a_fixture_of_every_release() -> None:
    assert f"schema-{RELEASED:04}.duckdb.xz" in {path.name for path in FIXTURES}
    assert all(path.stat().st_size < 1_000_000 for path in FIXTURES)
    assert len(migrations()) >= RELEASED


def test_a_released_database_opens_and_goes_on(released: Path) -> None:
    with open_database(released) as database:
        install(database)
        assert schema_version(database.connection) == len(migrations())
        assert run_audits(database) == []
        found = {row["system_id"]: row for row in leaderboard(database)}
        assert set(found) == {"good", "fair"}
        assert found["good"]["dea"] == 1.0
        assert found["good"]["fluency_z"] == 0.0
        score(database)
        assert run_audits(database) == []


@pytest.mark.parametrize("read_only", [False, True])
def test_a_later_migration_keeps_the_data_and_leaves_a_copy(
    released: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool
) -> None:
    with duckdb.connect(str(released), read_only=True) as connection:
        columns = columns_of(connection)
        before = rows_of(connection, columns)
        version = schema_version(connection)
    newest = [*migrations(), ADDED, WIDENED]
    use_migrations(monkeypatch, newest)
    with open_database(released, read_only=read_only) as database:
        connection = database.connection
        assert schema_version(connection) == len(newest)
        assert rows_of(connection, columns) == before
        assert connection.execute("SELECT DISTINCT remark FROM annotation").fetchall() == [
            ("migrated",)
        ]
        assert connection.execute("SELECT campaign_id, url FROM campaign").fetchall() == [
            ("OLD26", "none")
        ]
        described = connection.execute(
            "SELECT comment FROM duckdb_columns() WHERE column_name = 'remark'"
        ).fetchall()
        assert described == [(ADDED.column_comments["remark"],)]
        assert len(leaderboard(database)) == 2
    copy = released.with_name(f"campaign.duckdb.before-{len(newest)}")
    with duckdb.connect(str(copy), read_only=True) as connection:
        assert schema_version(connection) == version
        assert rows_of(connection, columns) == before


def test_views_of_an_older_version_are_replaced(released: Path) -> None:
    with open_database(released) as database:
        database.connection.execute("CREATE OR REPLACE VIEW leaderboard AS SELECT 1 AS old")
        database.connection.execute("UPDATE catalog SET sha256 = 'of an older version'")
        assert not is_installed(database)
        install(database)
        assert is_installed(database)
        assert "dea" in leaderboard(database)[0]


@pytest.mark.parametrize("read_only", [False, True])
def test_a_migration_that_fails_leaves_the_file_as_it_was(
    released: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool
) -> None:
    content, version = released.read_bytes(), version_of(released)
    with monkeypatch.context() as newer:
        use_migrations(newer, [*migrations(), ADDED, WIDENED, BROKEN])
        with pytest.raises(DatabaseUnavailableError) as caught:
            open_database(released, read_only=read_only)
        assert caught.value.where == str(released)
    with duckdb.connect(str(released), read_only=True) as connection:
        assert schema_version(connection) == version
        names = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        assert ("annotation",) not in names
    assert not released.with_name("campaign.duckdb.wal").exists()
    assert len(released.read_bytes()) == len(content)
    with open_database(released) as database:
        install(database)
        assert run_audits(database) == []
        assert len(leaderboard(database)) == 2


@pytest.mark.parametrize("read_only", [False, True])
def test_a_database_of_a_newer_version_is_refused_and_left_alone(
    released: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool
) -> None:
    content, version = released.read_bytes(), version_of(released)
    use_migrations(monkeypatch, migrations()[: version - 1])
    with pytest.raises(DatabaseUnavailableError) as caught:
        open_database(released, read_only=read_only)
    assert f"schema version {version}" in caught.value.message
    assert "newer" in str(caught.value.hint)
    assert caught.value.exit_code == 3
    assert released.read_bytes() == content
