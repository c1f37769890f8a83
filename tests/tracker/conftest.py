"""Fixtures of tests that ask the explorer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tracker.explorer_server import Ask, explorer


@pytest.fixture(scope="module")
def ask(sample_file: Path) -> Iterator[Ask]:
    with explorer(sample_file) as asking:
        yield asking


@pytest.fixture
def copy(sample_file: Path, tmp_path: Path) -> Path:
    path = tmp_path / "copy.duckdb"
    path.write_bytes(sample_file.read_bytes())
    return path
