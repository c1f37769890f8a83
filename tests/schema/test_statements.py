"""Statements are found by their names: alone in a file, or with others of a subject."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sr_tracker.schema import statements
from sr_tracker.schema.statements import read_statement, statement, statement_files

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
