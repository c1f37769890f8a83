"""Fixtures and options shared by all tests."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from hypothesis import HealthCheck, settings

import sr_tracker
from sr_tracker.queries.catalog import INSTALLED, open_installed
from sr_tracker.queries.metrics.registry import set_external_metrics
from sr_tracker.schema.database import Database, open_database

if TYPE_CHECKING:
    from sr_tracker.tracker.api.tracker import Tracker

UNHURRIED = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
"""A busy machine fails no test; what a fixture makes serves all examples of one."""
settings.register_profile("short", UNHURRIED, max_examples=15)
settings.register_profile("long", UNHURRIED, max_examples=250)
settings.load_profile("short")

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SAMPLE = Path(__file__).resolve().parents[1] / "tracker" / "demo" / "sample"
Once = Callable[[str, Callable[[Path], None]], Path]
Filled = Callable[[str, Callable[["Tracker"], object]], "Tracker"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add how often the fault loops interrupt the tracker."""
    parser.addoption("--rounds", type=int, default=20, help="interruptions in tests/faults")
    parser.addoption("--first-round", type=int, default=0, help="the seed of the first of them")


def pytest_configure() -> None:
    """Forget which database and store the shell names: tests would write to a user's own."""
    for name in [*os.environ]:
        if name.startswith(("TRACKER_", "MLFLOW_")):
            del os.environ[name]


def pytest_collection_finish() -> None:
    """Never look for garbage in what is imported by now: it took a twentieth of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def no_external_metrics() -> Iterator[None]:
    """Forget the external metrics of a module's databases: the process would go on heeding them."""
    yield
    set_external_metrics(())


@pytest.fixture(scope="session")
def once(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Make a file once in a run of all tests, by whichever process wants it first; return it."""
    folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):  # a worker of pytest-xdist has a folder below
        folder = folder.parent

    def made(name: str, make: Callable[[Path], None]) -> Path:
        place, new = folder / f"once-{name}", folder / f"new-{name}"
        with (folder / f"lock-{name}").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not place.exists():
                make(new)
                new.rename(place)
        return place

    return made


@pytest.fixture
def filled(once: Once, tmp_path: Path) -> Filled:
    """Open the test's own copy, ``campaign.duckdb``, of a database that is filled once in a run."""

    def copied(name: str, fill: Callable[[Tracker], object]) -> Tracker:
        def make(path: Path) -> None:
            with sr_tracker.connect(path, create=True) as tracker, tracker.writing():
                fill(tracker)

        copy = shutil.copy(once(f"{name}.duckdb", make), tmp_path / "campaign.duckdb")
        return sr_tracker.connect(copy)

    return copied


@pytest.fixture(scope="session")
def scored_year(once: Once) -> Path:
    """The file of a year of the sample campaign, 2024, scored and judged; tests change copies."""

    def make(path: Path) -> None:
        with sr_tracker.connect(path, create=True) as tracker, tracker.writing():
            tracker.ingest_campaign(SAMPLE / "SAMPLE24" / "campaign.toml")
            tracker.score()
            tracker.human()

    return once("scored_year.duckdb", make)


@pytest.fixture(scope="session")
def sample_file(once: Once, scored_year: Path) -> Path:
    """The file of two years of the sample campaign, scored and analysed; tests change copies."""

    def make(path: Path) -> None:
        path.write_bytes(scored_year.read_bytes())
        with sr_tracker.connect(path) as tracker, tracker.writing():
            tracker.ingest_campaign(SAMPLE / "SAMPLE23" / "campaign.toml")
            tracker.score()
            tracker.human()
            tracker.analyse()

    return once("sample.duckdb", make)


@pytest.fixture(scope="session", autouse=True)
def one_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """Open databases with one thread, but in the long forms: tests run in a process per core.

    Statements on a few rows take a third less; tests about threads set their number themselves.
    """
    real = duckdb.connect

    def connect(
        database: str = ":memory:", read_only: bool = False, config: dict[str, object] | None = None
    ) -> duckdb.DuckDBPyConnection:
        return real(database, read_only, {"threads": 1, **(config or {})})

    with pytest.MonkeyPatch.context() as patch:
        if "not long" in request.config.option.markexpr:
            patch.setattr(duckdb, "connect", connect)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_databases(one_thread: None) -> Iterator[None]:
    """Make new databases with their views: a copy, where making them anew takes half a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(open_database.__kwdefaults__, "contents", INSTALLED)
        yield


@pytest.fixture(scope="session")
def in_memory(quick_databases: None) -> Iterator[Database]:
    """The database in memory that ``database`` gives to one test after the other."""
    with open_installed(None) as opened:
        yield opened


@pytest.fixture
def database(in_memory: Database) -> Database:
    """An empty database in memory: emptying one takes a tenth of the time that making one takes."""
    empty(in_memory)
    return in_memory


def empty(database: Database) -> None:
    """Delete the rows of all tables but those that say what the database is."""
    run = database.connection.execute
    for (table,) in run(
        "SELECT table_name FROM duckdb_tables() WHERE estimated_size > 0 AND NOT temporary "
        "AND table_name NOT IN ('catalog', 'change_log', 'schema_version')"
    ).fetchall():
        run(f"DELETE FROM {table}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Forget the MLflow address of the user, or of a test before: MLflow puts it there itself."""
    os.environ.pop("MLFLOW_TRACKING_URI", None)


@pytest.fixture
def tracker() -> Iterator[Tracker]:
    """A database in memory in which nothing is."""
    with sr_tracker.connect(None) as opened:
        yield opened


@pytest.fixture
def row_counts(database: Database) -> Callable[[], dict[str, int]]:
    """A function that counts the rows of every table."""
    tables = database.connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    query = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM {name}" for (name,) in tables)

    def count() -> dict[str, int]:
        return dict(database.connection.execute(query).fetchall())

    return count


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real treebanks and outputs that lies beside the project in development."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"real data not found at {SHARED_DATA.name}: it is not part of the project")
    return SHARED_DATA
