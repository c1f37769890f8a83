"""Rows are in files before the turn to write to a lake; what others wrote meanwhile counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import sr_tracker
from sr_tracker.queries.catalog import open_installed
from sr_tracker.queries.lake import fetch, publish
from sr_tracker.schema.address import LakeAddress
from sr_tracker.schema.errors import ConflictError
from sr_tracker.schema.lake import METADATA
from sr_tracker.schema.lake.copying import Chosen
from sr_tracker.schema.lake.opening import LakeDatabase
from tests.lake.test_many import results

MOST = (
    "output",
    "sentence_score",
    "ngram_match",
    "edge_outcome",
    "output_words",
    "submission_score",
)
Meanwhile = Callable[[Callable[[], object]], None]


def files_of(lake: LakeAddress) -> dict[str, int]:
    """Return how many files each of the largest tables has, of whatever commit."""
    folder = Path(str(lake.data_path)) / "main"
    return {table: len([*(folder / table).glob("*.parquet")]) for table in MOST}


@pytest.fixture
def before_the_turn(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Do something once, before the next who writes to a lake has the turn."""

    def let(action: Callable[[], object]) -> None:
        real = LakeDatabase.turn

        @contextmanager
        def turn(database: LakeDatabase) -> Iterator[None]:
            monkeypatch.setattr(LakeDatabase, "turn", real)
            action()
            with real(database):
                yield

        monkeypatch.setattr(LakeDatabase, "turn", turn)

    return let


def test_files_are_written_before_the_turn_as_the_lake_writes_its_own(
    sample_file: Path, lake: LakeAddress, before_the_turn: Meanwhile, tmp_path: Path
) -> None:
    publish(sample_file, lake, Chosen([], [], []))
    by_then: dict[str, int] = {}
    before_the_turn(lambda: by_then.update(files_of(lake)))
    rows = publish(sample_file, lake).rows
    assert min(by_then.values()) > 0
    assert files_of(lake) == by_then
    with open_installed(lake, read_only=True) as shared:
        described = shared.connection.execute(
            "SELECT table_name, count(*), bool_and(file.path_is_relative), sum(file.record_count) "
            f"FROM {METADATA}.ducklake_data_file AS file JOIN {METADATA}.ducklake_table "
            "USING (table_id) GROUP BY ALL"
        ).fetchall()
        groups = shared.connection.execute(
            "SELECT DISTINCT compression FROM parquet_metadata(?)",
            [str(Path(str(lake.data_path)) / "main" / "output" / "*.parquet")],
        ).fetchall()
    assert {table: (1, True, rows[table]) for table in MOST} == {
        table: (count, relative, total)
        for table, count, relative, total in described
        if table in MOST
    }
    assert groups == [("ZSTD",)]
    fetch(lake, tmp_path / "back.duckdb")
    assert results(tmp_path / "back.duckdb") == results(sample_file)


def test_what_another_published_before_the_turn_is_not_doubled(
    sample_file: Path, lake: LakeAddress, before_the_turn: Meanwhile, tmp_path: Path
) -> None:
    some = sr_tracker.connect(sample_file).select()[:2]
    publish(sample_file, lake, Chosen([], [], []))
    before_the_turn(lambda: publish(sample_file, lake, Chosen(some, [], [])))
    publish(sample_file, lake)
    assert sr_tracker.connect(lake).check() == []
    fetch(lake, tmp_path / "back.duckdb")
    assert results(tmp_path / "back.duckdb") == results(sample_file)


def test_what_another_published_of_other_submissions_leaves_the_files_in_use(
    sample_file: Path, lake: LakeAddress, before_the_turn: Meanwhile
) -> None:
    first, second = sr_tracker.connect(sample_file).select(treebank="en_sample")[:2]
    publish(sample_file, lake, Chosen([], None, []))
    before_the_turn(lambda: publish(sample_file, lake, Chosen([first], [], [])))
    assert publish(sample_file, lake, Chosen([second], [], [])).rows["output"] > 0
    assert files_of(lake)["output"] == 2
    assert sr_tracker.connect(lake).check() == []


def test_other_content_published_before_the_turn_is_a_conflict(
    sample_file: Path,
    lake: LakeAddress,
    before_the_turn: Meanwhile,
    copy_of: Callable[[Path, str], Path],
    tmp_path: Path,
) -> None:
    other = copy_of(sample_file, "other")
    with sr_tracker.connect(other) as tracker, tracker.writing() as database:
        database.connection.execute("UPDATE submission SET sha256 = 'another'")
    publish(sample_file, lake, Chosen([], [], []))
    before_the_turn(lambda: publish(other, lake))
    with pytest.raises(ConflictError):
        publish(sample_file, lake)
    fetch(lake, tmp_path / "back.duckdb")
    assert results(tmp_path / "back.duckdb") == results(other)


def test_a_folder_may_have_any_name(sample_file: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb_extension_ducklake", reason="the extra 'lake' is not installed")
    lake = LakeAddress(str(tmp_path / "one.ducklake"), str(tmp_path / "it's [a]=*?{b}"))
    publish(sample_file, lake)
    fetch(lake, tmp_path / "back.duckdb")
    assert results(tmp_path / "back.duckdb") == results(sample_file)
