"""Fixtures of tests that ask the explorer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tracker.browser import Browser, find_browser
from tests.tracker.explorer_server import Ask, explorer


@pytest.fixture(scope="session")
def ask(sample_file: Path) -> Iterator[Ask]:
    with explorer(sample_file) as asking:
        yield asking


@pytest.fixture
def copy(sample_file: Path, tmp_path: Path) -> Path:
    path = tmp_path / "copy.duckdb"
    path.write_bytes(sample_file.read_bytes())
    return path


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A headless browser that also tells what a screen reader would say."""
    program = find_browser()
    if program is None:
        pytest.skip("no Chromium or Chrome is installed")
    with Browser(program, tmp_path_factory.mktemp("profile")) as browser:
        browser.call("Accessibility.enable")
        yield browser
