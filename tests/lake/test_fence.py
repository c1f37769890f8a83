"""Copying takes origins along; of two who write to a lake at once the second is refused."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import duckdb
import pytest

from sr_tracker.queries.lake import publish
from sr_tracker.schema.address import LakeAddress
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import DatabaseBusyError, DatabaseUnavailableError
from sr_tracker.schema.keys import INGESTED
from sr_tracker.schema.lake import opening
from sr_tracker.schema.lake.copying import EVERYTHING, SOURCE, TARGET, Chosen, Copying
from sr_tracker.schema.lake.opening import open_lake

Copies = Callable[[Path, str], Path]
HOLDERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) "
    "WHERE locktype = 'advisory' AND datname = current_database()"
)


def end_holders(lake: LakeAddress) -> int:
    """End the connections that hold the lock of turns, as a database's housekeeping may."""
    words = lake.catalog.removeprefix("postgres:")
    with closing(duckdb.connect()) as connection:
        opening._load(connection, opening._EXTENSIONS)
        connection.execute(f"ATTACH '{words}' AS own (TYPE postgres)")
        query = HOLDERS.replace("'", "''")
        return len(connection.execute(f"FROM postgres_query('own', '{query}')").fetchall())


def test_the_second_of_two_transactions_is_refused(lake: LakeAddress) -> None:
    open_lake(lake).close()
    insert = "INSERT INTO campaign (campaign_id, name) VALUES ('SR99', 'SR99')"
    with open_lake(lake) as first, open_lake(lake) as second:

        def write_both() -> None:
            with first.transaction() as connection:
                connection.execute(insert)
                assert end_holders(lake) == 1
                with second.transaction() as other:
                    other.execute(insert)

        with pytest.raises(DatabaseBusyError, match="others wrote to the lake meanwhile"):
            write_both()
        rows = first.connection.execute("SELECT count(*) FROM campaign").fetchall()
        assert rows == [(1,)]
        with first.transaction() as connection:
            connection.execute("DELETE FROM campaign")


@pytest.mark.parametrize("rounds", [1, pytest.param(20, marks=pytest.mark.long)])
def test_publishers_double_nothing_where_the_lock_alone_is_lost(
    sample_file: Path, new_lake: Callable[[], LakeAddress], copy_of: Copies, rounds: int
) -> None:
    with closing(duckdb.connect(str(sample_file), read_only=True)) as connection:
        rows = connection.execute("SELECT submission_id FROM submission ORDER BY ALL").fetchall()
    chosen = Chosen([submission for (submission,) in rows[:3]], [], [])
    files = [copy_of(sample_file, name) for name in ("one", "two")]
    for _ in range(rounds):
        lake, done = new_lake(), threading.Event()
        publish(sample_file, lake, Chosen([], [], []))

        def bring(file: Path, lake: LakeAddress = lake) -> None:
            with suppress(DatabaseUnavailableError):  # refused, or its connection was ended
                publish(file, lake, chosen)

        def clear_up(lake: LakeAddress = lake, done: threading.Event = done) -> None:
            while not done.is_set():
                end_holders(lake)

        with ThreadPoolExecutor(3) as pool:
            housekeeping = pool.submit(clear_up)
            for publisher in [pool.submit(bring, file) for file in files]:
                publisher.result()
            done.set()
            housekeeping.result()
        publish(sample_file, lake, chosen)
        with open_lake(lake, read_only=True) as database:
            for table in ("submission", "output", "sentence", "scoring"):
                (count, distinct) = database.connection.execute(
                    f"SELECT count(*), (SELECT count(*) FROM (SELECT DISTINCT * FROM {table})) "
                    f"FROM {table}"
                ).fetchall()[0]
                assert count == distinct > 0, table


@pytest.mark.parametrize(
    ("chosen", "expected"), [(EVERYTHING, True), (Chosen([], ["two"], []), False)]
)
def test_what_was_loaded_for_a_treebank_comes_with_it(
    tmp_path: Path, chosen: Chosen, expected: bool
) -> None:
    kinds = [*INGESTED["treebank"]]
    with open_database(tmp_path / "source.duckdb") as source:
        connection = source.connection
        for name in ("one", "two"):
            connection.execute(
                "INSERT INTO treebank (treebank_id, scheme, excluded_relations, hidden_text, "
                "sentences, tokens, source, sha256) VALUES (?, 'ud', [], false, 1, 2, '', '')",
                [name],
            )
        for number, kind in enumerate(kinds):
            connection.execute(
                "INSERT INTO ingestion VALUES (?, ?, ?, '', '', 1, '1.0.0', now(), ?)",
                [kind, kind, "one" if kind == "treebank" else "one extra", number],
            )
    with open_database(tmp_path / "target.duckdb") as target:
        target.connection.execute(f"ATTACH '{tmp_path / 'source.duckdb'}' AS other (READ_ONLY)")
        with target.transaction():
            titles = {SOURCE: "the source", TARGET: "the target"}
            Copying(target, "other", target.catalog, titles).copy(chosen)
        rows = target.connection.execute("SELECT kind FROM ingestion ORDER BY revision").fetchall()
    assert [kind for (kind,) in rows] == (kinds if expected else [])
