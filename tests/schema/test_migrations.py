"""Bringing databases to the newest schema: numbered migrations, each whole or not at all."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sr_tracker.schema.database
import sr_tracker.schema.migrate
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import DatabaseUnavailableError
from sr_tracker.schema.migrate import TABLES, Migration, migrations, schema_version
from sr_tracker.schema.statements import SqlFile

FIRST_TABLES = Path(__file__).with_name("first_tables.sql")
"""The tables that the first version made; the rest is in its migration."""
SECOND = Migration(
    "remarks",
    """\
CREATE TABLE remark (campaign_id VARCHAR NOT NULL, remark_no INTEGER NOT NULL, text VARCHAR);
INSERT INTO remark SELECT campaign_id, 1, 'migrated' FROM campaign;
ALTER TABLE campaign ADD COLUMN url VARCHAR DEFAULT 'none';
""",
)
THIRD = Migration("lengths", "ALTER TABLE remark ADD COLUMN length INTEGER;")
BROKEN = Migration("broken", "ALTER TABLE campaign ADD COLUMN length nonsense;")
BEFORE_THE_FIRST_RELEASE = (
    ("schema_version",),
    ("schema_version", "campaign", "system", "treebank"),
    ("baseline",),
    ("baseline", "evaluation_today", "settled_once", "metrics_against_people"),
)
"""What databases say was applied to them that were made with other tables."""


@pytest.fixture(autouse=True)
def made_by_migrations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make new databases as users do, not as copies of one."""
    monkeypatch.setitem(open_database.__kwdefaults__, "contents", TABLES)


def use_migrations(monkeypatch: pytest.MonkeyPatch, *chosen: Migration) -> None:
    monkeypatch.setattr(sr_tracker.schema.migrate, "migrations", lambda: chosen)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A database of the present schema with one campaign."""
    path = tmp_path / "campaign.duckdb"
    with open_database(path) as database:
        database.connection.execute("INSERT INTO campaign VALUES ('SR19', 'SR19', 2019, NULL)")
    return path


def version_of(path: Path) -> int:
    with duckdb.connect(str(path), read_only=True) as connection:
        return schema_version(connection)


def structure(connection: duckdb.DuckDBPyConnection) -> list[list[tuple[Any, ...]]]:
    """Tables, columns and constraints, with their comments."""
    return [
        connection.execute(f"SELECT {columns} FROM {listing} ORDER BY ALL").fetchall()
        for listing, columns in {
            "duckdb_tables()": "table_name, comment",
            "duckdb_columns() WHERE NOT internal": "table_name, column_index, column_name, "
            "data_type, is_nullable, column_default, comment",
            "duckdb_constraints()": "table_name, constraint_text",
        }.items()
    ]


def test_migrations_are_numbered_without_gaps() -> None:
    folder = Path(sr_tracker.schema.migrate.__file__).with_name("migrations")
    names = sorted(file.name for file in folder.iterdir())
    assert names == [
        f"{number:04}_{migration.name}.sql" for number, migration in enumerate(migrations(), 1)
    ]


def test_a_migrated_database_is_like_one_made_anew(tmp_path: Path) -> None:
    """One that the first version made, with every column that came since, and one of now."""
    path = tmp_path / "first.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(FIRST_TABLES.read_text(encoding="utf-8") + migrations()[0].text)
        connection.execute("INSERT INTO schema_version VALUES (1, 'tables', '0.1.0', now())")
    with open_database(path) as migrated, open_database(None) as made:
        assert structure(migrated.connection) == structure(made.connection)


def test_a_new_database_has_every_migration_in_order(tmp_path: Path) -> None:
    with open_database(tmp_path / "new.duckdb") as database:
        applied = database.connection.execute(
            "SELECT version, name FROM schema_version ORDER BY version"
        ).fetchall()
    assert applied == [
        (number, migration.name) for number, migration in enumerate(migrations(), start=1)
    ]


def test_opening_again_changes_nothing(made: Path) -> None:
    with open_database(made) as database:
        before = database.connection.execute("FROM schema_version").fetchall()
    with open_database(made) as database:
        assert database.connection.execute("FROM schema_version").fetchall() == before
    assert [file.name for file in made.parent.iterdir()] == [made.name]


@pytest.mark.parametrize("read_only", [False, True])
def test_an_upgrade_keeps_the_data_and_leaves_a_copy(
    made: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool
) -> None:
    before = len(migrations())
    use_migrations(monkeypatch, *migrations(), SECOND, THIRD)
    with open_database(made, read_only=read_only) as database:
        connection = database.connection
        assert schema_version(connection) == before + 2
        assert connection.execute("SELECT campaign_id, url FROM campaign").fetchall() == [
            ("SR19", "none")
        ]
        assert connection.execute("FROM remark").fetchall() == [("SR19", 1, "migrated", None)]
    with duckdb.connect(f"{made}.before-{before + 2}", read_only=True) as copy:
        assert copy.execute("SELECT max(version) FROM schema_version").fetchone() == (before,)
        assert copy.execute("FROM campaign").fetchall() == [("SR19", "SR19", 2019, None)]


def test_the_copy_of_a_database_holds_what_was_written_last(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = (
        "import os, sys; from sr_tracker.schema.database import open_database\n"
        "database = open_database(sys.argv[1])\n"
        'database.connection.execute("INSERT INTO campaign (campaign_id, name) '
        "VALUES ('SR20', 'SR20')\"); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", ended, made], check=False).returncode == 9
    assert made.with_name(f"{made.name}.wal").exists()
    before = len(migrations())
    use_migrations(monkeypatch, *migrations(), SECOND)
    with open_database(made) as database:
        assert database.connection.execute("SELECT count(*) FROM remark").fetchone() == (2,)
    with duckdb.connect(f"{made}.before-{before + 1}", read_only=True) as copy:
        rows = copy.execute("SELECT campaign_id FROM campaign ORDER BY 1").fetchall()
        assert rows == [("SR19",), ("SR20",)]


@pytest.mark.parametrize("read_only", [False, True])
def test_a_migration_that_fails_leaves_the_file_as_it_was(
    made: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool
) -> None:
    size, before = made.stat().st_size, len(migrations())
    with monkeypatch.context() as newer:
        use_migrations(newer, *migrations(), SECOND, BROKEN)
        with pytest.raises(DatabaseUnavailableError) as caught:
            open_database(made, read_only=read_only)
        assert caught.value.where == str(made)
    with duckdb.connect(str(made), read_only=True) as connection:
        assert schema_version(connection) == before
        names = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        assert ("remark",) not in names
    assert not made.with_name(f"{made.name}.wal").exists()
    assert made.stat().st_size == size
    open_database(made).close()


def test_a_database_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = SqlFile("broken", "", BROKEN.text, {})
    monkeypatch.setattr(sr_tracker.schema.migrate, "tables", lambda: {"broken": broken})
    with pytest.raises(DatabaseUnavailableError):
        open_database(tmp_path / "new.duckdb")
    assert not list(tmp_path.iterdir())


def test_a_copy_that_cannot_be_made_stops_the_upgrade(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy_to_full_disk(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        use_migrations(full, *migrations(), SECOND)
        full.setattr(sr_tracker.schema.migrate.shutil, "copy2", copy_to_full_disk)
        with pytest.raises(DatabaseUnavailableError, match=r"cannot be copied.*No space left"):
            open_database(made)
    assert version_of(made) == len(migrations())
    open_database(made).close()


@pytest.mark.parametrize("read_only", [False, True])
def test_a_database_of_a_newer_version_is_refused_and_left_alone(
    made: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool
) -> None:
    newer = len(migrations()) + 1
    with monkeypatch.context() as other:
        use_migrations(other, *migrations(), SECOND)
        open_database(made).close()
    content = made.read_bytes()
    with pytest.raises(DatabaseUnavailableError, match=f"schema version {newer}") as caught:
        open_database(made, read_only=read_only)
    assert (caught.value.where, caught.value.exit_code) == (str(made), 3)
    assert "newer" in str(caught.value.hint)
    assert made.read_bytes() == content


def applied_instead(path: Path, names: Sequence[str]) -> bytes:
    """Let a database say that these migrations were applied to it; return the file's content."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("DELETE FROM schema_version")
        for number, name in enumerate(names, start=1):
            connection.execute(
                "INSERT INTO schema_version VALUES (?, ?, '0.1.0', now())", [number, name]
            )
    return path.read_bytes()


@pytest.mark.parametrize("applied", BEFORE_THE_FIRST_RELEASE)
@pytest.mark.parametrize("read_only", [False, True])
def test_a_database_of_before_the_first_release_is_refused_and_left_alone(
    made: Path, read_only: bool, applied: Sequence[str]
) -> None:
    content = applied_instead(made, applied)
    with pytest.raises(DatabaseUnavailableError, match="before the first release") as caught:
        open_database(made, read_only=read_only)
    assert (caught.value.where, caught.value.exit_code) == (str(made), 3)
    assert "ingest" in str(caught.value.hint)
    assert "tracker share export" in str(caught.value.hint)
    assert [file.name for file in made.parent.iterdir()] == [made.name]
    assert made.read_bytes() == content


def test_a_command_says_how_to_carry_a_database_of_before_over(made: Path) -> None:
    content = applied_instead(made, BEFORE_THE_FIRST_RELEASE[-1])
    done = subprocess.run(
        [Path(sys.executable).with_name("tracker"), "-d", made, "show", "leaderboard"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert "before the first release" in done.stderr
    assert "tracker --database NEW.duckdb ingest" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert made.read_bytes() == content
