"""A lake holds what files do: views and audits agree, publishing and fetching bring what is new."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import sr_tracker
from sr_tracker.queries.catalog import audits, open_installed, views
from sr_tracker.queries.lake import fetch, publish
from sr_tracker.schema import migrate
from sr_tracker.schema.address import LakeAddress, place_of
from sr_tracker.schema.errors import ConflictError, DatabaseUnavailableError, InputError
from sr_tracker.schema.keys import natural_keys
from sr_tracker.schema.lake import FENCE, METADATA, NAME, opening, without_keys
from sr_tracker.schema.lake.copying import Chosen
from sr_tracker.schema.lake.opening import open_lake
from sr_tracker.schema.migrate import Migration, migrations, tables
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.explorer.snapshot import Snapshots
from tests.building import campaign, contents, load

Copies = Callable[[Path, str], Path]
OWN = ("schema_version", "catalog", "change_log", "removal")
SHARED = [table for table in natural_keys() if table not in OWN]


@pytest.mark.parametrize(
    ("text", "catalog"),
    [
        ("ducklake:postgres:dbname=a host=b", "postgres:dbname=a host=b"),
        ("ducklake:/srv/a.ducklake", "/srv/a.ducklake"),
    ],
)
def test_an_address_names_a_catalog(text: str, catalog: str) -> None:
    place = place_of(text)
    assert isinstance(place, LakeAddress)
    assert place.catalog == catalog
    assert str(place) == text


@pytest.mark.parametrize(
    "text",
    [
        "ducklake:postgres:dbname=a password=b",
        "ducklake:postgres:dbname=a PASSWORD = 'b c'",
        "ducklake:postgres:dbname=a sslpassword=b",
        "ducklake:postgres:postgresql://me:secret@host/a",
        "ducklake:postgres:postgresql://me:se/cret@host/a",
        "ducklake:postgres:postgresql://me:se%2Fcret%40@host/a",
        "ducklake:postgres:postgresql://me:se@cr?et@host/a",
        "ducklake:postgres:postgresql://host/a?password=secret",
        "ducklake:postgres:postgresql://host/a?p%61ssword=secret",
        "postgres:dbname=a password=secret",
        "postgresql://me:secret@host/a",
        "Ducklake:postgres:dbname=a password=secret",
        "ducklake:postgres:",
        "ducklake:",
    ],
)
def test_an_address_with_a_password_or_without_a_catalog_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        place_of(text)
    assert "cret" not in f"{caught.value} {caught.value.hint} {caught.value.where}"
    result = CliRunner().invoke(cli, ["-d", text, "show", "leaderboard"])
    assert result.exit_code == 2
    assert "cret" not in result.output


def test_an_address_made_in_python_holds_no_password_either() -> None:
    with pytest.raises(InputError, match="holds no password"):
        LakeAddress("postgres:dbname=a password=secret")
    with pytest.raises(InputError, match="holds no password"):
        LakeAddress("postgres:dbname=a", "s3://key:secret@bucket/data")
    address = LakeAddress("postgres:postgresql://me@host:5432/a?application_name=b", "/shared/a=b")
    assert str(address) == "ducklake:postgres:postgresql://me@host:5432/a?application_name=b"


def test_tables_of_a_lake_are_those_of_a_file_without_keys() -> None:
    text = "".join(without_keys(table.text) for table in tables().values())
    assert "PRIMARY KEY" not in text
    assert re.findall(r"CREATE TABLE (\w+)", text) == [*natural_keys()]


def test_every_view_and_audit_gives_the_same_rows_on_a_file_and_on_a_lake(
    scored_year: Path, lake: LakeAddress
) -> None:
    agree(scored_year, lake)


@pytest.mark.long
def test_every_view_and_audit_agrees_on_analyses_and_several_years(
    sample_file: Path, lake: LakeAddress
) -> None:
    agree(sample_file, lake)


def agree(published: Path, lake: LakeAddress) -> None:
    publish(published, lake)
    with (
        open_installed(published, read_only=True) as file,
        open_installed(lake, read_only=True) as shared,
    ):
        for query in (*(f"FROM {view.name}" for view in views()), *(a.text for a in audits())):
            rows = [
                sorted(map(repr, database.connection.execute(query).fetchall()))
                for database in (file, shared)
            ]
            if "revision" not in query:
                assert rows[0] == rows[1], query


@pytest.mark.long
def test_what_was_published_comes_back_whole_and_nothing_is_new_the_second_time(
    sample_file: Path, lake: LakeAddress, tmp_path: Path
) -> None:
    assert publish(sample_file, lake).rows["submission"] > 0
    assert not publish(sample_file, lake).rows
    back = tmp_path / "back.duckdb"
    assert fetch(lake, back).rows["submission"] > 0
    assert not fetch(lake, back).rows
    with (
        open_installed(sample_file, read_only=True) as file,
        open_installed(back, read_only=True) as fetched,
    ):
        assert contents(file, SHARED, columns="*") == contents(fetched, SHARED, columns="*")


def test_where_duckdb_2_has_its_extensions_from_is_said_where_it_is_out_of_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duckdb, "__version__", "2.0.1")
    folders = {"extension_directory": tmp_path, "custom_extension_repository": tmp_path / "none"}
    with (
        duckdb.connect(config={name: str(folder) for name, folder in folders.items()}) as empty,
        pytest.raises(DatabaseUnavailableError, match="cannot be loaded") as caught,
    ):
        opening.attach(empty, LakeAddress(str(tmp_path / "one.ducklake"), str(tmp_path)))
    assert "extensions.duckdb.org" in caught.value.hint
    assert "'duckdb<2'" in caught.value.hint


def test_the_catalog_is_asked_for_no_rows_and_knows_which_tables_are_empty(tmp_path: Path) -> None:
    """What else costs each view a statement for each table, or for each column of empty ones."""
    pytest.importorskip("duckdb_extension_ducklake", reason="the extra 'lake' is not installed")
    catalog = f"{METADATA}.ducklake"
    with open_installed(LakeAddress(str(tmp_path / "one.ducklake"), str(tmp_path))) as database:
        execute = database.connection.execute
        inlined = (
            f"SELECT known.table_name FROM {catalog}_inlined_data_tables "
            f"JOIN {catalog}_table AS known USING (table_id)"
        )
        assert execute(inlined).fetchall() == [(FENCE,)]
        noted = f"SELECT table_name, record_count FROM {catalog}_table_stats JOIN {catalog}_table"
        rows = dict(execute(f"{noted} USING (table_id)").fetchall())
        assert {table for table, count in rows.items() if not count} == {*SHARED, "removal"}
        execute("INSERT INTO campaign VALUES ('SR19', 'SR19', 2019, NULL), ('A', 'A', NULL, NULL)")
        columns = execute(
            f"SELECT column_name, contains_null, min_value, max_value FROM {catalog}_column "
            f"JOIN {catalog}_table_column_stats USING (table_id, column_id) "
            f"JOIN {catalog}_table USING (table_id) WHERE table_name = 'campaign' ORDER BY ALL"
        ).fetchall()
        assert columns[0] == ("campaign_id", False, "A", "SR19")
        assert columns[-1] == ("year", True, "2019", "2019")


@pytest.mark.long
def test_two_working_copies_end_up_in_one_leaderboard(
    sample_file: Path, lake: LakeAddress, copy_of: Copies
) -> None:
    first, second = copy_of(sample_file, "first"), copy_of(sample_file, "second")
    with sr_tracker.connect(first) as mine, sr_tracker.connect(second) as yours:
        everything = mine.select()
        mine.remove("campaign", "SAMPLE23")
        yours.remove("campaign", "SAMPLE24")
        assert mine.publish(lake).rows["judgement"] > 0
        assert yours.publish(lake).rows["submission"] > 0
    shared = sr_tracker.connect(lake)
    assert shared.select() == everything
    assert shared.check() == []
    with sr_tracker.connect(sample_file) as whole:
        names = ["submission_id", "bleu", "dea"]
        rows = [db.show("leaderboard").select(names).to_pylist() for db in (whole, shared)]
    assert sorted(map(str, rows[0])) == sorted(map(str, rows[1]))


@pytest.mark.long
def test_other_content_of_one_name_is_a_conflict_that_changes_nothing(
    sample_file: Path, lake: LakeAddress, copy_of: Copies
) -> None:
    publish(sample_file, lake)
    other = copy_of(sample_file, "other")
    with sr_tracker.connect(other) as tracker, tracker.writing() as database:
        run = tracker.select()[0]
        database.connection.execute(
            "UPDATE submission SET sha256 = 'another' WHERE submission_id = ?", [run]
        )
        tracker.rename("campaign", "SAMPLE24", "OTHER24")
    with open_installed(lake, read_only=True) as shared:
        before = contents(shared, SHARED, columns="*")
    with pytest.raises(ConflictError, match=r"SAMPLE23.*another in .*other\.duckdb"):
        publish(other, lake)
    with pytest.raises(ConflictError), sr_tracker.connect(other) as tracker:
        tracker.fetch(lake)
    with open_installed(lake, read_only=True) as shared:
        assert contents(shared, SHARED, columns="*") == before


def test_judgements_are_told_by_their_items_whatever_their_numbers_are(
    scored_year: Path, tmp_path: Path, copy_of: Copies
) -> None:
    """Copies that removed different judged runs number differently, and have one another's."""
    pytest.importorskip("duckdb_extension_ducklake", reason="the extra 'lake' is not installed")
    lake = LakeAddress(str(tmp_path / "one.ducklake"), str(tmp_path))
    copies = [copy_of(scored_year, name) for name in ("first", "second")]

    def judgements(path: Path) -> list[str]:
        with open_installed(path, read_only=True) as database:
            query = "SELECT * EXCLUDE judgement_no FROM judgement"
            return sorted(map(str, database.connection.execute(query).fetchall()))

    with sr_tracker.connect(scored_year) as whole:
        judged = whole.sql("SELECT DISTINCT submission_id FROM judgement ORDER BY ALL").to_pylist()
    for copy, run in zip(copies, judged, strict=False):
        with sr_tracker.connect(copy) as mine:
            mine.remove("submission", run["submission_id"])
            mine.publish(lake)
    back = tmp_path / "back.duckdb"
    fetch(lake, back)
    assert judgements(back) == judgements(scored_year)
    assert sr_tracker.connect(back).check() == []
    for copy in copies:
        with sr_tracker.connect(copy) as mine:
            mine.fetch(lake)
            assert not mine.publish(lake).rows
    with sr_tracker.connect(copies[0]) as mine, mine.writing() as database:
        database.connection.execute(
            "UPDATE judgement SET raw_score = 1 - raw_score WHERE judgement_no = 3"
        )
    with pytest.raises(ConflictError, match="judgement SAMPLE24"):
        publish(copies[0], lake)


@pytest.mark.long
def test_more_judgements_bring_their_statistics_anew(
    sample_file: Path, lake: LakeAddress, copy_of: Copies
) -> None:
    fewer = copy_of(sample_file, "fewer")
    with sr_tracker.connect(fewer) as tracker:
        with tracker.writing() as database:
            database.connection.execute(
                "DELETE FROM judgement WHERE campaign_id = 'SAMPLE24' AND judgement_no > 400"
            )
        tracker.human("SAMPLE24")
    publish(fewer, lake)
    publish(sample_file, lake)
    with (
        open_installed(sample_file, read_only=True) as file,
        open_installed(lake, read_only=True) as shared,
    ):
        for table in ("judgement", "human_score", "human_ranking", "standardisation"):
            computed = [
                sorted(map(repr, item.connection.execute(f"FROM {table}").fetchall()))
                for item in (file, shared)
            ]
            assert computed[0] == computed[1], table


@pytest.mark.long
def test_what_is_fetched_is_what_passes_the_filters_and_what_that_needs(
    sample_file: Path, lake: LakeAddress, tmp_path: Path
) -> None:
    publish(sample_file, lake)
    with sr_tracker.connect(tmp_path / "part.duckdb", create=True) as part:
        part.fetch(lake, year=2024, treebank="en_sample")
        assert part.select() == [
            "SAMPLE24/head-direction/en_sample-ud1.0-test",
            "SAMPLE24/ngram/en_sample-ud1.0-test",
        ]
        assert part.check() == []
        assert part.score().scores == 0
        assert part.publish(lake).rows == {}


@pytest.mark.long
def test_an_older_state_of_a_lake_can_be_read(
    sample_file: Path, lake: LakeAddress, copy_of: Copies
) -> None:
    with sr_tracker.connect(copy_of(sample_file, "one")) as first:
        first.remove("campaign", "SAMPLE23")
        first.publish(lake)
        then = datetime.now(UTC)
        some = first.select()
    publish(sample_file, lake)
    shared = sr_tracker.connect(lake)
    assert len(shared.select()) > len(some)
    with shared.reading(as_of=then):
        assert shared.select() == some
    with (
        pytest.raises(DatabaseUnavailableError, match="no lake yet"),
        shared.reading(as_of=datetime(2020, 1, 1, tzinfo=UTC)),
    ):
        pass


@pytest.mark.long
def test_a_lake_is_written_to_like_a_file(sample_file: Path, lake: LakeAddress) -> None:
    publish(sample_file, lake)
    shared = sr_tracker.connect(lake)
    run = shared.select(system="ngram", treebank="en_sample")[0]
    shared.note("submission", run, "seen")
    assert shared.remove("submission", run).rows["output"] > 0
    assert run not in shared.select()
    assert shared.check() == []
    done = shared.maintain(keep_days=0)
    assert done.snapshots > 0
    assert shared.check() == []


def test_what_is_published_has_the_columns_of_its_external_metrics(
    lake: LakeAddress, tmp_path: Path
) -> None:
    texts = ["a dog barks", "a cat sleeps"]
    with campaign(
        tmp_path / "own.duckdb", references={"set": texts}, outputs={"ours": texts}
    ) as db:
        rows = [("sent_id", "score"), (1, 0.25), (2, 0.75)]
        load(db.ingest_metric_scores, rows, "scores.csv", name="my-judge", system="ours")
    publish(tmp_path / "own.duckdb", lake)
    remarks: list[str] = []
    with open_installed(lake, read_only=True, say=remarks.append) as shared:
        query = "SELECT system_id, my_judge FROM leaderboard"
        assert shared.connection.execute(query).fetchall() == [("ours", 0.5)]
    assert not remarks, "the views are those of the metrics that there are"
    fetch(lake, tmp_path / "other.duckdb")
    with duckdb.connect(str(tmp_path / "other.duckdb"), read_only=True) as other:
        assert other.execute(query).fetchall() == [("ours", 0.5)]


@pytest.mark.long
def test_the_explorer_follows_a_lake(
    sample_file: Path, lake: LakeAddress, copy_of: Copies, tmp_path: Path
) -> None:
    with sr_tracker.connect(copy_of(sample_file, "lake")) as named_as_the_lake:
        everything = named_as_the_lake.select()
        named_as_the_lake.remove("campaign", "SAMPLE23")
        some = named_as_the_lake.select()
        named_as_the_lake.publish(lake)
        assert named_as_the_lake.fetch(lake).rows == {}
    shared = sr_tracker.connect(lake)
    assert shared.site(tmp_path / "site") > len(some)
    with closing(Snapshots(lake, wait=60)) as snapshots:
        for expected in (some, everything):
            with snapshots.reading() as pages:
                assert pages.select() == expected
                assert pages.check() == []
            publish(sample_file, lake)
            snapshots.renew()
        former = snapshots.taken()
        snapshots.renew()
        assert snapshots.taken() == former


@pytest.mark.long
def test_a_batch_lost_on_its_way_leaves_the_lake_as_it_was(
    sample_file: Path, lake: LakeAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(sample_file, lake, Chosen([], [], []))
    with open_installed(lake, read_only=True) as shared:
        before = contents(shared, SHARED, columns="*")
    from sr_tracker.schema.lake import copying

    def broken(*arguments: Any) -> dict[str, int]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(copying, "_copy_statistics", broken)
        with pytest.raises(KeyboardInterrupt):
            publish(sample_file, lake)
    with open_installed(lake, read_only=True) as shared:
        assert contents(shared, SHARED, columns="*") == before
    assert publish(sample_file, lake).rows["submission"] > 0


@pytest.mark.long
def test_what_is_no_lake_is_told(lake: LakeAddress, tmp_path: Path) -> None:
    for none in (lake, LakeAddress(str(tmp_path / "none.ducklake"))):
        with pytest.raises(DatabaseUnavailableError, match="there is no lake yet"):
            open_lake(none, read_only=True)
    with pytest.raises(DatabaseUnavailableError, match="cannot be opened"):
        open_lake(LakeAddress("postgres:dbname=none host=/nowhere"), read_only=True)
    result = CliRunner().invoke(cli, ["-d", str(lake), "serve"], standalone_mode=False)
    assert "there is no lake yet" in str(result.exception)
    with sr_tracker.connect(None) as memory, pytest.raises(InputError, match="in memory"):
        memory.publish(lake)
    with (
        sr_tracker.connect(tmp_path / "new.duckdb", create=True) as file,
        pytest.raises(InputError, match="no lake's address"),
    ):
        file.publish(str(tmp_path / "other.duckdb"))


@pytest.mark.long
def test_sql_of_ones_own_on_a_lake_reaches_nothing_else(
    sample_file: Path, lake: LakeAddress, tmp_path: Path
) -> None:
    publish(sample_file, lake)
    shared = sr_tracker.connect(lake)
    assert shared.sql("SELECT count(*) AS n FROM submission").to_pylist()[0]["n"] > 0
    (tmp_path / "secret.txt").write_text("secret")
    for query in (
        f"FROM read_text('{tmp_path / 'secret.txt'}')",
        f"ATTACH '{tmp_path / 'x.db'}'",
        f"DELETE FROM {NAME}.submission",
        f"FROM postgres_query('{METADATA}', 'SELECT 1')",
        "SELECT * FROM postgres_scan('dbname=postgres', 'public', 'pg_class')",
        f"SELECT * FROM {METADATA}.ducklake_metadata",
    ):
        with pytest.raises(sr_tracker.TrackerError):
            shared.sql(query)


@pytest.mark.long
def test_a_lake_of_an_older_tracker_is_brought_up_to_date_where_that_is_asked_for(
    lake: LakeAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_lake(lake) as older:
        older.connection.execute("INSERT INTO campaign VALUES ('SR19', 'SR19', 2019, NULL)")
    added = Migration(
        "remarks",
        "-- remark: one row per remark.\n-- grain: remark_no\nCREATE TABLE remark (\n"
        "    remark_no  INTEGER NOT NULL,  -- its number\n    PRIMARY KEY (remark_no)\n);\n\n"
        "ALTER TABLE campaign ADD COLUMN url VARCHAR;\n"
        "COMMENT ON COLUMN campaign.url IS 'where it is described';\n",
    )
    newer = (*migrations(), added)
    for module in (migrate, sr_tracker.schema.lake, opening):
        monkeypatch.setattr(module, "migrations", lambda: newer)
    with pytest.raises(DatabaseUnavailableError, match="tables of an older tracker"):
        open_lake(lake, read_only=True)
    with pytest.raises(DatabaseUnavailableError, match="tables of an older tracker"):
        open_lake(lake)
    with open_lake(lake, upgrade=True) as brought_up:
        assert brought_up.connection.execute(
            "SELECT campaign_id, url FROM campaign"
        ).fetchall() == [("SR19", None)]
        assert brought_up.connection.execute("FROM remark").fetchall() == []
    open_lake(lake, read_only=True).close()


def test_marked_errors_are_the_same_wherever_they_go(
    scored_year: Path, lake: LakeAddress, copy_of: Copies, tmp_path: Path
) -> None:
    """Published, fetched, exported, copied, seen as of before, loaded again and removed."""
    of_judgements = (
        "SELECT error_spans FROM judgement WHERE criterion = 'esa' ORDER BY judgement_no"
    )

    def spans(place: Path | LakeAddress) -> list[Any]:
        with open_installed(place, read_only=True) as database:
            return database.connection.execute(of_judgements).fetchall()

    path = copy_of(scored_year, "marked")
    with sr_tracker.connect(path) as file:
        run, other = file.select(treebank="en_sample")[:2]
        file.publish(lake)
        before = datetime.now(UTC)
        placed = {"start_character": 1, "end_character": 4, "severity": "major", "category": "a/b"}
        missing = {
            "severity": "minor",
            "on_source": True,
            "weight": 0.1,
            "category": "\U0001f415 é",
        }
        arguments = [
            (run, "en-test-001", [placed, missing]),
            (run, "en-test-002", []),
            (other, "en-test-001", [missing]),
        ]
        judged = tmp_path / "judged.jsonl"
        judged.write_text(
            "\n".join(
                json.dumps(
                    {
                        "annotator": "w",
                        "submission": submission,
                        "sent_id": sent_id,
                        "criterion": "esa",
                        "score": 50,
                        "error_spans": json.dumps(errors),
                    }
                )
                for submission, sent_id, errors in arguments
            )
        )
        campaign = run.partition("/")[0]
        assert file.ingest_judgements(judged, campaign=campaign).new == 3
        assert file.ingest_judgements(judged, campaign=campaign).new == 0
        by_system = file.errors().to_pylist()
        assert file.publish(lake).rows["judgement"] == 3
        assert not file.publish(lake).rows
        file.export(tmp_path / "tables")
    stored = spans(path)
    assert [len(errors) for (errors,) in stored] == [2, 0, 1]
    exported = pq.read_table(tmp_path / "tables" / "judgement.parquet").to_pylist()
    marked = [row["error_spans"] for row in exported if row["criterion"] == "esa"]
    assert marked == [errors for (errors,) in stored]
    fetch(lake, tmp_path / "back.duckdb")
    assert spans(lake) == spans(tmp_path / "back.duckdb") == spans(copy_of(path, "copy")) == stored
    shared = sr_tracker.connect(lake)
    assert shared.errors().to_pylist() == by_system
    with shared.reading(as_of=before), pytest.raises(InputError, match="no errors are marked"):
        shared.errors()
    shared.remove("submission", run)
    assert spans(lake) == stored[2:]
    assert shared.check() == []
