"""A lake that holds rows twice is repaired: shown first, then in one commit."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import sr_tracker
from sr_tracker.queries import catalog
from sr_tracker.queries.catalog import open_installed
from sr_tracker.queries.lake.maintenance import maintain
from sr_tracker.schema.address import LakeAddress
from sr_tracker.schema.lake.opening import newest_snapshot
from sr_tracker.schema.statements import SqlFile
from sr_tracker.tracker.cli import cli

CAMPAIGNS = "SELECT campaign_id, name FROM campaign ORDER BY ALL"


@pytest.fixture
def doubled(tmp_path: Path) -> LakeAddress:
    """A lake of one process, one campaign of which three commits wrote, and one that one did."""
    pytest.importorskip("duckdb_extension_ducklake", reason="the extra 'lake' is not installed")
    lake = LakeAddress(str(tmp_path / "one.ducklake"), str(tmp_path / "data"))
    with open_installed(lake) as database:
        for name in ("oldest", "older", "newest"):
            database.connection.execute(f"INSERT INTO campaign VALUES ('C', '{name}', 2019, NULL)")
        database.connection.execute("INSERT INTO campaign VALUES ('D', 'only', 2019, NULL)")
        database.connection.execute(
            "INSERT INTO tag SELECT 'campaign', 'C', 'a', 'b' FROM range(2)"
        )
    return lake


def rows(lake: LakeAddress) -> list[tuple[str, str]]:
    with open_installed(lake, read_only=True) as database:
        return database.connection.execute(CAMPAIGNS).fetchall()


def test_the_newest_of_rows_with_one_key_stays(doubled: LakeAddress) -> None:
    assert [finding.audit for finding in sr_tracker.connect(doubled).check()] == [
        "campaign_key",
        "tag_key",
    ]
    before = newest_snapshot(doubled)
    with open_installed(doubled) as database:
        assert maintain(database, repair=True, dry_run=True).doubles == {"campaign": 2, "tag": 1}
        assert maintain(database, keep_days=30).doubles == {}
    assert len(rows(doubled)) == 4
    with open_installed(doubled) as database:
        assert maintain(database, repair=True).doubles == {"campaign": 2, "tag": 1}
    assert rows(doubled) == [("C", "newest"), ("D", "only")]
    assert newest_snapshot(doubled) > before
    assert sr_tracker.connect(doubled).check() == []
    with open_installed(doubled) as database:
        assert maintain(database, repair=True).doubles == {}


def test_audits_of_a_lake_take_so_much_memory_and_write_the_rest_to_a_folder_of_their_own(
    doubled: LakeAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = (
        "SELECT current_setting('temp_directory') AS folder, "
        "parse_formatted_bytes(current_setting('memory_limit')) AS memory"
    )
    audit = SqlFile("settings", "one row of settings.", query, {})
    monkeypatch.setattr(catalog, "audits", lambda: [audit])
    (row,) = sr_tracker.connect(doubled).check()[0].first_rows
    assert row["memory"] <= 512 * 10**6
    assert Path(row["folder"]).name.startswith("sr-tracker-audits-")
    assert not Path(row["folder"]).exists()


def test_the_command_shows_rows_and_asks_before_they_go(doubled: LakeAddress) -> None:
    command = ["-d", str(doubled), "lake", "maintain", "--repair"]
    shown = "3 rows with the key of a newer one would be removed: campaign 2, tag 1"
    for options, code in (([], 1), (["--dry-run"], 0)):  # without a terminal nobody answers
        result = CliRunner().invoke(cli, [*command, *options])
        assert result.exit_code == code, result.output
        assert shown in result.output
        assert len(rows(doubled)) == 4
    result = CliRunner().invoke(cli, [*command, "--yes"])
    assert result.exit_code == 0, result.output
    assert "3 rows with the key of a newer one removed: campaign 2, tag 1" in result.output
    assert rows(doubled) == [("C", "newest"), ("D", "only")]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 0, result.output  # nothing is asked where nothing goes
