"""What was removed stays away, and a system is of one team, whatever copies are published."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import sr_tracker
from sr_tracker.queries.lake import publish
from sr_tracker.schema.address import LakeAddress
from sr_tracker.schema.errors import ConflictError
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.cli import cli
from tests.building import written

TREEBANK = "en_t-ud1.0-test"
FIRST, SECOND, OTHER = f"C/ours/{TREEBANK}", f"C/ours/{TREEBANK}@2", f"C/theirs/{TREEBANK}"
RUNS = (
    ("ours", 1, "a dog barked\na cat sleeps\n"),
    ("ours", 2, "a dog barks\na cat slept\n"),
    ("theirs", 1, "dog a barks\na cat sleeps\n"),
)
Fill = Callable[[str], Path]


@pytest.fixture
def alone(tmp_path: Path) -> LakeAddress:
    """A lake of one process."""
    pytest.importorskip("duckdb_extension_ducklake", reason="the extra 'lake' is not installed")
    return LakeAddress(str(tmp_path / "one.ducklake"), str(tmp_path / "data"))


@pytest.fixture
def copy(tmp_path: Path) -> Fill:
    """Make working copies of three submissions, the second developed from the first."""
    whole = tmp_path / "whole.duckdb"
    references = written(tmp_path / "references.txt", "a dog barks\na cat sleeps\n")
    with sr_tracker.connect(whole, create=True) as db:
        db.ingest_references(references, treebank=TREEBANK, language="en")
        for system, number, text in RUNS:
            load(db, system, number, text, tmp_path)
        db.score(metrics=["bleu"])

    return lambda name: written(tmp_path / f"{name}.duckdb", whole.read_bytes())


def load(db: Tracker, system: str, number: int, text: str, folder: Path) -> None:
    file = written(folder / f"{system}{number}.txt", text)
    parent = FIRST if number > 1 else None
    db.ingest_submission(
        file,
        campaign="C",
        system=system,
        treebank=TREEBANK,
        iteration=number,
        parent_submission_id=parent,
    )


def test_what_was_removed_from_a_lake_does_not_come_back_by_anothers_publish(
    copy: Fill, alone: LakeAddress, tmp_path: Path
) -> None:
    mine, yours = copy("mine"), copy("yours")
    publish(mine, alone)
    shared = sr_tracker.connect(alone)
    shared.remove("submission", FIRST)
    shared.remove("system", "theirs")
    tried = publish(yours, alone, dry_run=True)
    published = publish(yours, alone)
    assert published.rows == {}
    assert tried.left_out == published.left_out
    names = [text.partition(", removed on ")[0] for text in published.left_out]
    assert names == [f"submission {FIRST}", f"submission {OTHER}", "system theirs"]
    assert shared.select() == [SECOND]
    with sr_tracker.connect(tmp_path / "new.duckdb", create=True) as new:
        new.fetch(alone)
        assert new.select() == [SECOND]
    assert publish(yours, alone, bring_back=True).rows["submission"] == 2
    assert shared.select() == [FIRST, SECOND, OTHER]
    assert publish(mine, alone).left_out == []
    assert shared.sql("FROM removal").num_rows == 0
    assert shared.check() == []


def test_what_was_developed_from_something_removed_comes_without_it(
    copy: Fill, alone: LakeAddress
) -> None:
    mine, yours = copy("mine"), copy("yours")
    with sr_tracker.connect(mine) as db:
        db.remove("submission", SECOND)
        db.publish(alone)
    shared = sr_tracker.connect(alone)
    shared.remove("submission", FIRST)
    assert publish(yours, alone).rows["submission"] == 1
    parents = "SELECT submission_id, parent_submission_id AS parent FROM submission ORDER BY ALL"
    assert {row["submission_id"]: row["parent"] for row in shared.sql(parents).to_pylist()} == {
        SECOND: None,
        OTHER: None,
    }
    assert shared.check() == []


def test_what_a_copy_removed_does_not_come_back_by_its_fetch(
    copy: Fill, alone: LakeAddress, tmp_path: Path
) -> None:
    mine = copy("mine")
    publish(mine, alone)
    with sr_tracker.connect(mine) as db:
        db.remove("treebank", TREEBANK)
    runner = CliRunner()
    fetch = ["-d", str(mine), "lake", "fetch", str(alone)]
    output = runner.invoke(cli, fetch)
    assert output.exit_code == 0, output.output
    assert "nothing else is new" in output.output
    assert "left out: campaign C, removed on" in output.output
    assert "and 2 more (--bring-back copies it all the same)" in output.output
    with sr_tracker.connect(mine) as db:
        assert db.sql("FROM submission").num_rows == 0
        assert db.check() == []
    assert publish(mine, alone).rows == {}
    assert sr_tracker.connect(alone).select() == [FIRST, SECOND, OTHER]
    output = runner.invoke(cli, [*fetch, "--bring-back"])
    assert output.exit_code == 0, output.output
    with sr_tracker.connect(mine) as db:
        assert db.select() == [FIRST, SECOND, OTHER]
        assert db.check() == []


def test_other_content_of_a_removed_name_is_another_submission(
    copy: Fill, alone: LakeAddress, tmp_path: Path
) -> None:
    mine = copy("mine")
    publish(mine, alone)
    shared = sr_tracker.connect(alone)
    shared.remove("system", "theirs")
    with sr_tracker.connect(mine) as db:
        db.remove("submission", OTHER)
        load(db, "theirs", 1, "a dog barks\na dog sleeps\n", tmp_path)
        assert db.publish(alone).rows["submission"] == 1
        assert db.publish(alone).left_out == []
    assert shared.select() == [FIRST, SECOND, OTHER]
    assert shared.check() == []


def test_a_system_of_two_teams_is_a_conflict_that_names_both(
    copy: Fill, alone: LakeAddress
) -> None:
    copies = [copy("mine"), copy("yours")]
    for path, team in zip(copies, ("Team A", "Team B"), strict=True):
        with sr_tracker.connect(path) as db, db.writing() as database:
            database.connection.execute(
                f"UPDATE system SET team = '{team}' WHERE system_id = 'ours'"
            )
    nobodys = copy("nobodys")
    mine, yours = copies
    publish(nobodys, alone)
    assert publish(mine, alone).rows == {}  # it says more, and what is there stays
    with sr_tracker.connect(alone) as shared, shared.writing() as database:
        database.connection.execute("UPDATE system SET team = 'Team A' WHERE system_id = 'ours'")
    with pytest.raises(ConflictError, match="system ours is of two teams: of Team B in") as caught:
        publish(yours, alone)
    assert "of Team A in" in caught.value.message
    assert "tracker keep rename system ours NEW" in (caught.value.hint or "")
    assert publish(nobodys, alone).rows == {}
    with sr_tracker.connect(yours) as db:
        db.rename("system", "ours", "yours")
        assert db.publish(alone).rows["submission"] == 2
