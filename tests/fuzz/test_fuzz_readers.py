"""Broken files of every kind: each reader refuses them with a TrackerError or reads them rightly.

FUZZ_EXAMPLES says how many files each reader gets; README.md beside this file says more.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from mutations import broken_files
from reader_checks import CHECKS, expected_export, refused
from seeds import SEEDS

from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.judgements.human_scores import ingest_human_scores
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.ingest.scores import ScoreFile
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import TrackerError
from sr_tracker.schema.files import read_text
from sr_tracker.schema.statements import statement
from tests.building import written

pytestmark = pytest.mark.long
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "200"))
SECONDS = 5
"""A file that takes longer counts as a hang."""
SETTINGS = settings(
    max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
LOADING = settings(SETTINGS, max_examples=max(EXAMPLES // 10, 10))


class TookTooLongError(BaseException):
    """Not an Exception, so that no reader takes it for an error of the file."""


@contextmanager
def time_limit() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TookTooLongError(f"more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module", autouse=True)
def outcomes() -> Iterator[Counter[tuple[str, bool]]]:
    """How many files each reader read and refused; printed where FUZZ_EXAMPLES is given."""
    counted: Counter[tuple[str, bool]] = Counter()
    yield counted
    if "FUZZ_EXAMPLES" in os.environ:
        for name in dict.fromkeys(name for name, _ in counted):
            print(f"\n{name}: {counted[name, True]} read, {counted[name, False]} refused", end="")  # noqa: T201


def test_every_reader_reads_its_valid_files(tmp_path: Path) -> None:
    for name, check in CHECKS.items():
        for seed in SEEDS[name]:
            assert check(seed, tmp_path), name


@pytest.mark.parametrize("name", CHECKS)
def test_broken_files(name: str, tmp_path: Path, outcomes: Counter[tuple[str, bool]]) -> None:
    @SETTINGS
    @given(content=broken_files(name))
    def check(content: bytes) -> None:
        with time_limit():
            outcomes[name, CHECKS[name](content, tmp_path)] += 1

    check()


def contents(database: Database) -> dict[str, int]:
    """Return how many rows each table has."""
    run = database.connection.execute
    names = [name for (name,) in run("SELECT table_name FROM duckdb_tables()").fetchall()]
    counts = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM {name}" for name in names)
    return dict(run(counts).fetchall())


@pytest.fixture
def database() -> Iterator[Database]:
    with open_database(None) as opened:
        yield opened


def test_loaded_treebanks_come_back(
    database: Database, tmp_path: Path, outcomes: Counter[tuple[str, bool]]
) -> None:
    path = tmp_path / "en_toy.conllu"
    name = name_treebank(path)
    before = contents(database)

    @LOADING
    @given(content=broken_files("treebank"))
    def check(content: bytes) -> None:
        path.write_bytes(content)
        try:
            with time_limit():
                loaded = ingest_treebank(database, path, name)
        except TrackerError as error:
            refused(error)
            assert contents(database) == before
            outcomes["treebank into tables", False] += 1
            return
        assert loaded
        assert not ingest_treebank(database, path, name)
        rows = database.connection.execute(
            statement("export_conllu"), {"treebank_id": name.treebank_id}
        ).fetchall()
        assert [text for (text,) in rows] == expected_export(read_text(path))
        outcomes["treebank into tables", True] += 1
        _empty(database, "treebank", "sentence", "token", "multiword_token", "empty_node")

    check()


def _empty(database: Database, *tables: str) -> None:
    for table in tables:
        database.connection.execute(f"DELETE FROM {table}")
    database.connection.execute("DELETE FROM ingestion WHERE kind = ?", [tables[0]])


def _loaded_treebank(database: Database, folder: Path) -> str:
    path = written(folder / "fr_toy.conllu", SEEDS["treebank"][0])
    name = name_treebank(path)
    ingest_treebank(database, path, name)
    return name.treebank_id


@pytest.mark.parametrize("suffix", [".txt", ".conllu", ".csv", ".jsonl"])
def test_loaded_outputs_are_those_of_the_file(
    database: Database, tmp_path: Path, suffix: str, outcomes: Counter[tuple[str, bool]]
) -> None:
    treebank = _loaded_treebank(database, tmp_path)
    path = tmp_path / f"outputs{suffix}"
    analyser = analyser_factory(database, "reference")
    before = contents(database)

    @LOADING
    @given(content=broken_files(f"outputs{suffix}"))
    def check(content: bytes) -> None:
        path.write_bytes(content)
        run = Run("C19", "A", treebank)
        try:
            with time_limit():
                submitted = ingest_submission(database, path, run, analyser)
        except TrackerError as error:
            refused(error)
            assert contents(database) == before
            outcomes[f"outputs{suffix} into tables", False] += 1
            return
        computed = contents(database)
        assert submitted.changed
        assert (computed["submission"], computed["output"]) == (before["submission"] + 1, 3)
        assert not ingest_submission(database, path, run, analyser).changed
        outcomes[f"outputs{suffix} into tables", True] += 1
        _empty(database, "submission", "output", "output_words", "campaign", "system")

    check()


def test_loaded_human_scores_are_those_of_the_file(
    database: Database, tmp_path: Path, outcomes: Counter[tuple[str, bool]]
) -> None:
    treebank = _loaded_treebank(database, tmp_path)
    outputs = written(tmp_path / "outputs.txt", "# sent_id = a\n# text = Au loin\n")
    analyser = analyser_factory(database, "reference")
    ids = [
        ingest_submission(database, outputs, Run("C", system, treebank), analyser).submission_id
        for system in ("A", "B")
    ]
    path = tmp_path / "scores.csv"
    before = contents(database)

    @LOADING
    @given(content=broken_files("scores"))
    def check(content: bytes) -> None:
        named = content.replace(b"S/A/t", ids[0].encode()).replace(b"S/B/t", ids[1].encode())
        path.write_bytes(named)
        try:
            with time_limit():
                count = ingest_human_scores(database, path, ScoreFile(columns={}))
        except TrackerError as error:
            refused(error)
            assert contents(database) == before
            outcomes["scores into tables", False] += 1
            return
        assert contents(database)["human_score"] == count > 0
        assert ingest_human_scores(database, path, ScoreFile(columns={})) == 0
        outcomes["scores into tables", True] += 1
        database.connection.execute("DELETE FROM human_score")
        database.connection.execute("DELETE FROM ingestion WHERE kind = 'human_scores'")

    check()
