"""Statements are found by their names; temporary tables are there in their block, gone after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

import sr_tracker.schema
from sr_tracker.schema import statements
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import read_statement, statement, statement_files
from sr_tracker.schema.temporary import hold, temporary

ROWS = pa.table({"number": [1, 2]})
BY_HAND = re.compile(r"\.(un)?register\(\s*[\"f]|DROP (TABLE|VIEW)")
OF_ITS_OWN = {"schema/temporary.py", "queries/meaning/matching.py", "schema/migrate.py"}
"""The helper, a connection that is closed with all it has, and tables that migrations drop."""


def left(database: Database) -> set[str]:
    rows = database.connection.execute(
        "SELECT view_name FROM duckdb_views() WHERE temporary AND NOT internal "
        "UNION SELECT table_name FROM duckdb_tables() WHERE temporary"
    ).fetchall()
    return {name for (name,) in rows}


def test_what_a_block_makes_is_there_and_then_gone(database: Database) -> None:
    execute = database.connection.execute
    with temporary(database, given=ROWS):
        execute("CREATE TEMP TABLE doubled AS SELECT 2 * number AS number FROM given")
        execute("CREATE TEMP VIEW seen AS FROM doubled")
        hold(database, "held", ROWS)
        hold(database, "held", ROWS.slice(1))
        assert execute("SELECT sum(number) FROM seen").fetchone() == (6,)
        assert execute("FROM held").fetchall() == [(2,)]
        assert left(database) == {"given", "doubled", "seen", "held"}
    assert left(database) == set()


def test_an_inner_block_leaves_what_the_outer_one_has(database: Database) -> None:
    with temporary(database, outer=ROWS):
        hold(database, "kept", ROWS)
        with temporary(database, inner=ROWS):
            hold(database, "own", ROWS)
        assert left(database) == {"outer", "kept"}
    assert left(database) == set()


@pytest.mark.parametrize("failure", ["SELECT error('failed')", "SELECT nonsense"])
@pytest.mark.parametrize("inside", [True, False])
def test_nothing_is_left_of_a_block_that_fails(
    database: Database, failure: str, inside: bool
) -> None:
    """Neither where its transaction is taken back with it, nor where it goes around one."""

    def fail() -> None:
        database.connection.execute("CREATE TEMP TABLE made AS FROM given")
        database.connection.execute(failure)

    with pytest.raises(Exception, match=r"failed|nonsense"):  # noqa: PT012
        if inside:
            with database.transaction(), temporary(database, given=ROWS):
                fail()
        else:
            with temporary(database, given=ROWS), database.transaction():
                fail()
    assert left(database) == set()
    with temporary(database, given=ROWS):
        assert database.connection.execute("SELECT count(*) FROM given").fetchone() == (2,)


def test_no_temporary_table_is_made_or_removed_by_hand() -> None:
    root = Path(sr_tracker.schema.__file__).resolve().parent.parent
    names = {
        name
        for folder in ("schema", "ingest", "queries", "tracker")
        for file in (root / folder).rglob("*.py")
        if (name := str(file.relative_to(root))) not in OF_ITS_OWN
        and BY_HAND.search(file.read_text(encoding="utf-8"))
    }
    assert names == set()


CACHED = (statement, read_statement, statement_files, statements._together)
SHORT = """\
-- first: one row, of which much can be said
-- in two lines.
SELECT 1;

-- second: one row.
SELECT 2;
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of statements in place of the program's."""
    monkeypatch.setattr(statements, "_ROOT", tmp_path)
    folder = tmp_path / "queries" / "sql"
    folder.mkdir(parents=True)
    for cached in CACHED:
        cached.cache_clear()
    yield folder
    for cached in CACHED:
        cached.cache_clear()


def test_statements_of_a_subject_are_found_one_by_one(folder: Path) -> None:
    (folder / "whole.sql").write_text(SHORT)
    (folder / "subject_statements.sql").write_text(SHORT)
    assert {*statement_files()} == {"whole", "first", "second"}
    assert statement("whole") == SHORT
    assert f"{statement('first')}\n{statement('second')}" == SHORT
    assert read_statement("first").description == "one row, of which much can be said in two lines."


@pytest.mark.parametrize("name", ["first", "other_statements"])
def test_two_statements_of_one_name_are_refused(folder: Path, name: str) -> None:
    (folder / "subject_statements.sql").write_text(SHORT)
    (folder / f"{name}.sql").write_text(SHORT)
    with pytest.raises(ValueError, match="two statements have one name"):
        statement_files()


def test_a_file_with_one_name_twice_is_refused(folder: Path) -> None:
    (folder / "subject_statements.sql").write_text(f"{SHORT}\n{SHORT}")
    with pytest.raises(ValueError, match="two statements have one name"):
        statement_files()
