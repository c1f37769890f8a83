"""What leaves the program: every type in every format, whole, and under names of their own."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sr_tracker.queries.limits
from sr_tracker.queries.catalog import open_installed
from sr_tracker.queries.formats import csv_text, json_text
from sr_tracker.queries.reading import read_sql
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import InputError, QueryError
from sr_tracker.schema.folders import HeldFolder
from sr_tracker.schema.keys import natural_keys
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.cli.output import FORMATS, Destination, write_rows
from sr_tracker.tracker.export import export_tables
from tests.building import outputs_and_secrets
from tests.tracker.in_process import run
from tests.tracker.test_reading import ATTEMPTS

TYPES = duckdb.sql("FROM test_all_types()").columns
ODD = {
    "DATE 'infinity'": "infinity",
    "DATE '0044-03-15 (BC)'": "0044-03-15 (BC)",
    "[DATE '-infinity']": "[-infinity]",
    "{'d': DATE 'infinity'}": "{'d': infinity}",
    "MAP {'d': DATE 'infinity'}": "{d=infinity}",
    "TIMESTAMP_NS 'infinity'": "infinity",
    "TIMESTAMP '-infinity'": "-infinity",
    "TIME '24:00:00'": "24:00:00",
    "TIMETZ '10:00:00+02'": "10:00:00+02",
    "INTERVAL 1 MONTH": "1 month",
    "[INTERVAL 1 DAY]": "[1 day]",
    "'101'::BIT": "101",
    "340282366920938463463374607431768211455::UHUGEINT": "340282366920938463463374607431768211455",
    "170141183460469231731687303715884105727": "170141183460469231731687303715884105727",
    "'\\x00a\\x5C'::BLOB": "\\x00a\\x5C",
}


@pytest.fixture(scope="module")
def db() -> Iterator[Tracker]:
    """A tracker in memory with one campaign."""
    with open_installed(None) as database:
        database.connection.execute("INSERT INTO campaign VALUES ('C', 'C', 2026, NULL)")
        yield Tracker(database)


def written(db: Tracker, query: str, format_name: str, folder: Path) -> bytes:
    file = folder / "rows"
    write_rows(db.sql(query), Destination(format_name, file))
    return file.read_bytes()


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_type_leaves_in_every_format(db: Tracker, format_name: str, tmp_path: Path) -> None:
    queries = [f'SELECT "{name}" FROM test_all_types()' for name in TYPES]
    for query in ("FROM test_all_types()", "SELECT NULL", "SELECT 1::VARIANT", *queries):
        assert written(db, query, format_name, tmp_path)
    if format_name == "json":
        rows = json.loads(written(db, "FROM test_all_types()", format_name, tmp_path))
        assert [[*row] for row in rows] == [TYPES] * 3
        assert rows[1]["double_array"] == [42.0, "NaN", "Infinity", "-Infinity", None, -42.0]


@pytest.mark.parametrize("name", TYPES)
def test_every_type_reaches_python(db: Tracker, name: str) -> None:
    rows = db.sql(f'SELECT "{name}" FROM test_all_types()')
    assert rows.to_pandas().shape == (3, 1)
    assert [*rows.to_pylist()[2].values()] == [None]
    shown = db.show("campaign", columns=f'(SELECT max("{name}"::VARCHAR) FROM test_all_types())')
    assert shown.num_rows == 1
    shown = db.show("campaign", columns=f'(SELECT "{name}" FROM test_all_types() LIMIT 1)')
    assert shown.to_pandas().shape == shown.shape == (1, 1)


@pytest.mark.parametrize(("value", "text"), ODD.items())
def test_what_python_has_no_value_for_is_written_as_duckdb_writes_it(
    db: Tracker, value: str, text: str, tmp_path: Path
) -> None:
    query = f"SELECT {value} AS value"
    [[_], [of_csv]] = csv.reader(io.StringIO(written(db, query, "csv", tmp_path).decode()))
    assert of_csv == text == json.loads(written(db, query, "json", tmp_path))[0]["value"]
    if "BLOB" not in value:
        pq.write_table(db.sql(query), tmp_path / "rows.parquet")
        assert pq.read_table(tmp_path / "rows.parquet")["value"].to_pylist() == [text]


def test_sums_are_numbers(db: Tracker, tmp_path: Path) -> None:
    rows = db.sql("SELECT sum(i) AS total, sum(i) / 4 AS share FROM range(5) AS t(i)")
    assert rows.to_pylist() == [{"total": 10, "share": 2.5}]
    query = "SELECT 1.50 AS price, sum(i) AS total FROM range(5) AS t(i)"
    assert json.loads(written(db, query, "json", tmp_path)) == [{"price": 1.5, "total": 10}]
    assert written(db, query, "csv", tmp_path) == b"price,total\n1.50,10\n"


def test_times_in_json_are_iso_8601(db: Tracker, tmp_path: Path) -> None:
    query = "SELECT TIMESTAMPTZ '2020-01-02 03:04:05Z' AS at, DATE '2020-01-02' AS day"
    rows = json.loads(written(db, query, "json", tmp_path))
    assert rows == [{"at": "2020-01-02T03:04:05+00:00", "day": "2020-01-02"}]


def test_equal_names_are_told_apart(db: Tracker, tmp_path: Path) -> None:
    query = "SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS a, 5 AS b"
    expected = {"a": 1, "a_2": 2, "a_1": 3, "a_3": 4, "b": 5}
    assert db.sql(query).to_pylist() == [expected]
    assert json.loads(written(db, query, "json", tmp_path)) == [expected]
    joined = "SELECT * FROM campaign JOIN campaign AS other ON campaign.name = other.name"
    for format_name in FORMATS:
        assert written(db, joined, format_name, tmp_path)


@given(st.lists(st.sampled_from(["a", "a_1", "a_2", "A", "b"]), max_size=8))
def test_distinct_names_keep_what_is_distinct(names: list[str]) -> None:
    from sr_tracker.queries.reading import distinct

    computed = distinct(names)
    assert len(set(computed)) == len(names)
    assert {*names} <= {*computed}
    assert all(new.startswith(old) for new, old in zip(computed, names, strict=True))


@given(st.text("=+-@\t\r\n＝ax1'\"", max_size=4))
def test_no_text_runs_as_a_formula(text: str) -> None:
    rows = [[text, -1.5, None, ["=1"]]]
    computed = [*csv.reader(io.StringIO(csv_text([text, "n"], rows, formulas=False), newline=""))]
    assert not computed[0][0].startswith(tuple("=+-@\t\r\n＝"))
    assert computed[1][0] in (text, f"'{text}")
    assert computed[1][0] == text or text.startswith(tuple("=+-@\t\r\n＝"))
    assert computed[1][1:] == ["-1.5", "", '["=1"]']
    assert [*csv.reader(io.StringIO(csv_text(["a"], [[text]]), newline=""))][1:] == (
        [[text]] if text else [[""]]
    )


@given(st.text(st.characters(), max_size=8))
def test_json_is_exact_and_steers_no_terminal(text: str) -> None:
    content = json_text({"text": text}, indent=None)
    assert json.loads(content) == {"text": text}
    assert content.rstrip("\n").isascii() or content.encode()
    assert not {*content} & {"\x1b", "\x7f", "\x9b", "\u202e", "\u2028", "\ud800"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An empty campaign database."""
    open_installed(tmp_path / "campaign.duckdb").close()
    return tmp_path / "campaign.duckdb"


def test_a_file_and_a_pipe_get_all_rows(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql = ("-d", str(file), "sql", "SELECT i FROM range(2500) AS t(i)")
    for suffix in ("csv", "json", "parquet", "txt"):
        run(monkeypatch, *sql, "-o", str(tmp_path / f"x.{suffix}"))
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 2501
    assert len((tmp_path / "x.txt").read_text().strip().splitlines()) == 2502
    assert len(json.loads((tmp_path / "x.json").read_text())) == 2500
    assert pq.read_table(tmp_path / "x.parquet").num_rows == 2500
    assert len(run(monkeypatch, *sql, "-f", "csv").stdout.splitlines()) == 2501
    shown = run(monkeypatch, *sql, "-f", "csv", terminal=True)
    assert len(shown.stdout.splitlines()) == 1001
    assert b"only the first 1000 rows" in shown.stderr
    assert len(run(monkeypatch, *sql, "-f", "csv", "-n", "3").stdout.splitlines()) == 4


def test_remarks_are_broken_between_words_at_the_width_of_the_terminal(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    columns = ", ".join(f"'system {n}' AS column_{n}" for n in range(8))
    sql = ("-d", str(file), "sql", f"SELECT {columns}, i FROM range(2) AS t(i)")
    lines = run(monkeypatch, *sql, terminal=True).stderr.decode().splitlines()
    assert max(map(len, lines)) <= 40
    assert " ".join(lines).startswith("(the same in all rows: column_0 system 0, column_1")
    assert len(run(monkeypatch, *sql).stderr.splitlines()) == 0


def test_what_is_the_same_in_all_rows_is_said_in_a_line(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = "'C' AS campaign, 'S' AS system, '{}' AS tags, NULL AS year, i"
    sql = ("-d", str(file), "sql", f"SELECT {columns} FROM range(3) AS t(i)")
    shown = run(monkeypatch, *sql, terminal=True)
    assert shown.stderr.decode().splitlines() == [
        "(nothing in: year, tags)",
        "(the same in all rows: campaign C, system S)",
    ]
    assert b"campaign" not in shown.stdout


def test_a_result_too_large_fails_and_writes_nothing(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sr_tracker.queries.limits, "BYTES_LIMIT", 100_000)
    output = tmp_path / "x.csv"
    done = run(monkeypatch, "-d", str(file), "sql", "FROM range(50000)", "-o", str(output))
    assert done.code == 2
    assert b"larger than" in done.stderr
    assert not output.exists()


def test_a_limit_that_strikes_while_rows_are_fetched_is_a_limit(db: Tracker) -> None:
    endless = "SELECT i, repeat('x', 20) AS x FROM range(1000000000000) AS t(i)"
    with pytest.raises(QueryError, match=r"stopped after 0\.2 seconds"):
        db.sql(endless, seconds=0.2)
    assert db.sql("SELECT 1 AS one").to_pylist() == [{"one": 1}]


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tracker]:
    """A tracker that may write, with files beside its database to be stolen."""
    with open_installed(outputs_and_secrets(tmp_path_factory.mktemp("beside"))) as database:
        yield Tracker(database)


def test_python_has_the_guards_of_the_command_line(beside: Tracker) -> None:
    assert beside.database.path is not None
    folder = beside.database.path.parent
    secret_frame = [1]
    for query in ATTEMPTS:
        with pytest.raises(QueryError) as caught:
            beside.sql(query.format(folder=folder))
        assert "hidden" not in str(caught.value).replace("/* hidden */", "")
        assert secret_frame == [1]
        assert not [path for path in folder.iterdir() if path.name.startswith("stolen")]
        if query.startswith("SELECT * FROM '"):
            with pytest.raises(QueryError):
                beside.show("campaign", where=f"EXISTS ({query.format(folder=folder)})")


def test_python_has_the_memory_of_the_command_line(beside: Tracker) -> None:
    setting = "SELECT current_setting('memory_limit') AS memory"
    connection = beside.database.connection
    connection.execute("SET memory_limit = '3 GiB'")
    before = connection.execute(setting).fetchall()
    assert beside.sql(setting).to_pylist() == [{"memory": "1.8 GiB"}]
    assert connection.execute(setting).fetchall() == before
    with pytest.raises(QueryError, match="Parser"):
        beside.sql("SELEC")
    assert connection.execute(setting).fetchall() == before


def test_an_export_removes_what_a_killed_one_left(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HeldFolder, "_YOUNG_SECONDS", 0.0)
    folder = tmp_path / "out"
    folder.mkdir()
    killed = HeldFolder("export", folder)
    if killed._held is None:
        pytest.skip("folders take no locks here")
    with open_database(file, read_only=True) as database:
        export_tables(database, folder)
        assert Path(killed.name).exists()
        os.close(killed._held)  # as the end of its process does
        killed._held = None
        export_tables(database, folder)
    assert {path.stem for path in folder.iterdir()} == {*natural_keys()}
    killed.cleanup()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_no_wrong_input(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = ("--database", str(file), "show", "leaderboard", "--format", "csv", "--output")
    full = run(monkeypatch, *shown, "/dev/full")
    assert (full.code, b"make room on the disk" in full.stderr) == (3, True)
    assert run(monkeypatch, *shown, str(tmp_path / "nowhere" / "rows.csv")).code == 2


def test_an_export_that_fails_leaves_what_was_there(file: Path, tmp_path: Path) -> None:
    def stop(_name: str, done: int, _total: int) -> None:
        if done == 5:
            raise failure

    folder = tmp_path / "out"
    with open_database(file, read_only=True) as database:
        for failure in (OSError(28, "No space left on device"), KeyboardInterrupt()):
            kind = InputError if isinstance(failure, OSError) else KeyboardInterrupt
            with pytest.raises(kind):
                export_tables(database, folder, progress=stop)
            assert not folder.exists()
        assert export_tables(database, folder) == len(natural_keys())
        whole = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
        assert whole.keys() == {f"{name}.parquet" for name in natural_keys()}
        failure = OSError(28, "No space left on device")
        with pytest.raises(InputError):
            export_tables(database, folder, progress=stop)
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == whole


def test_what_is_read_is_bounded_by_rows_too(db: Tracker) -> None:
    rows = read_sql(db.database, "FROM range(50000)", rows=10)
    assert (rows.rows.num_rows, rows.truncated) == (10, True)
