"""Fixtures and options shared by all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, settings

from sr_tracker.queries.catalog import install
from sr_tracker.schema import database as databases
from sr_tracker.schema import migrate

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine fails no test."""
settings.register_profile("short", UNHURRIED, max_examples=50)
settings.register_profile("long", UNHURRIED, max_examples=1000)
settings.load_profile("short")

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add how often the fault loops interrupt the tracker."""
    parser.addoption("--rounds", type=int, default=20, help="interruptions in tests/faults")


@pytest.fixture(scope="session", autouse=True)
def quick_databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make new databases copies of one: tables, views and comments take half a second each time."""
    template = tmp_path_factory.mktemp("template") / "template.duckdb"
    with databases.open_database(template) as made:
        install(made)
    known = migrate.migrations()

    def copied(connection: duckdb.DuckDBPyConnection, path: Path | None) -> int:
        if path is not None or known != migrate.migrations():
            return migrate.migrate(connection, path)
        connection.execute(f"ATTACH '{template}' AS template (READ_ONLY)")
        (new,) = connection.execute("SELECT current_database()").fetchone() or ()
        connection.execute(f'COPY FROM DATABASE template TO "{new}"; DETACH template')
        return len(known)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(databases, "migrate", copied)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Forget the MLflow address of the user, or of a test before: MLflow puts it there itself."""
    os.environ.pop("MLFLOW_TRACKING_URI", None)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real treebanks and outputs that lies beside the project in development."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"real data not found at {SHARED_DATA.name}: it is not part of the project")
    return SHARED_DATA
