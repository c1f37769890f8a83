"""Dates of runs: readable with a time zone, out of order, and as they stood before a run."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from sr_tracker.queries.catalog import views
from sr_tracker.queries.change.versions import as_of
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.parameters import parse_moment
from sr_tracker.tracker.api.tracker import Tracker, connect
from tests import building, commands

TREEBANK = "en_a-ud1.0-test"
FIRST = f"local/ours/{TREEBANK}"
DATES = ("2026-11-01", "2026-11-10", "2026-11-05T10:00+02:00", "2026-11-20")
REFERENCES = [["the", "dog", "ran"], ["it", "saw", "the", "tree"], ["a", "small", "dog", "sat"]] * 3


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four runs, each developed from the one before; the third is dated before its parent."""
    folder = tmp_path_factory.mktemp("moments")
    path = folder / "campaign.duckdb"
    with connect(path, create=True) as tracker, tracker.writing() as database:
        building.add_treebank(database, folder, TREEBANK, map(building.chain, REFERENCES))
    for number, date in enumerate(DATES):
        outputs = [" ".join(words) for words in REFERENCES]
        outputs[number] = "dog"
        (folder / "out.txt").write_text("\n".join(outputs) + "\n", encoding="utf-8")
        arguments = ["submit", str(folder / "out.txt"), "--system", "ours", "--treebank", TREEBANK]
        commands.run(path, "-q", *arguments, "--no-log", "--created-at", date)
    return path


@pytest.fixture
def tracker(path: Path) -> Tracker:
    return connect(path, read_only=True)


def test_times_of_runs_have_zones(tracker: Tracker) -> None:
    rows = tracker.show("submission_history", columns="iteration, created_at", order="iteration")
    made = [row["created_at"].astimezone(UTC) for row in rows.to_pylist()]
    assert made == [
        datetime(2026, 11, 1, tzinfo=UTC),
        datetime(2026, 11, 10, tzinfo=UTC),
        datetime(2026, 11, 5, 8, tzinfo=UTC),
        datetime(2026, 11, 20, tzinfo=UTC),
    ]


@pytest.mark.parametrize(
    ("date", "iteration"),
    [("2026-11-01", 1), ("2026-11-04", 1), ("2026-11-05", 3), ("2026-11-12", 2), ("2027-01-01", 4)],
)
def test_a_date_names_the_run_of_then(tracker: Tracker, date: str, iteration: int) -> None:
    wanted = FIRST if iteration == 1 else f"{FIRST}@{iteration}"
    assert tracker.resolve(f"ours@{date}") == wanted


@pytest.mark.parametrize("date", ["2026-10-31", "2026-13-01", "2026-11-05x"])
def test_a_date_without_a_run_is_told(tracker: Tracker, date: str) -> None:
    with pytest.raises((UnknownNameError, InputError)):
        tracker.resolve(f"ours@{date}")


@pytest.mark.parametrize("date", ["2026-11-01", "2026-11-05", "2026-11-09", "2026-11-10"])
def test_a_history_stands_at_any_date(path: Path, date: str) -> None:
    commands.run(path, "history", "ours", "--as-of", date)


def test_nothing_names_what_is_hidden(tracker: Tracker) -> None:
    with tracker.reading() as database:
        for date in ("2026-11-04", "2026-11-05", "2026-11-09", "2026-11-12"):
            with as_of(database, parse_moment(date)):
                there = {
                    row[0] for row in database.connection.execute("FROM submission").fetchall()
                }
                hidden = {FIRST, *(f"{FIRST}@{n}" for n in (2, 3, 4))} - there
                assert hidden
                for view in views():
                    rows = database.connection.execute(f"SELECT v::VARCHAR FROM {view.name} AS v")
                    text = "\n".join(row[0] for row in rows.fetchall())
                    named = {name for name in hidden if f"{name}," in text or f"{name}}}" in text}
                    assert not named, (date, view.name)


def test_dates_out_of_order_are_marked(path: Path) -> None:
    shown = commands.run(path, "history", "ours").output
    message = f"{FIRST}@3 is dated 2026-11-05 08:00, before {FIRST}@2 that it is compared with"
    assert message in " ".join(shown.split())
    assert shown.count("↶") == 1
