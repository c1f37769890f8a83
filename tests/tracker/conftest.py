"""Fixtures of tests that ask the explorer."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sr_tracker.schema.database import Database, open_database
from tests.building import written
from tests.tracker.browser import Browser, find_browser
from tests.tracker.explorer_server import Ask, explorer


@pytest.fixture(scope="session")
def ask(sample_file: Path) -> Iterator[Ask]:
    with explorer(sample_file) as asking:
        yield asking


@pytest.fixture
def copy(sample_file: Path, tmp_path: Path) -> Path:
    return written(tmp_path / "copy.duckdb", sample_file.read_bytes())


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A headless browser that also tells what a screen reader would say."""
    program = find_browser()
    if program is None:
        pytest.skip("no Chromium or Chrome is installed")
    with Browser(program, tmp_path_factory.mktemp("profile")) as browser:
        browser.call("Accessibility.enable")
        yield browser


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny campaign, and a store of MLflow that shows all of it."""
    from sr_tracker.tracker.experiments import log_submissions
    from tests.tracker.test_experiments import make_store, tiny_campaign

    folder = tmp_path_factory.mktemp("logged")
    with open_database(tiny_campaign(folder)) as opened:
        make_store(opened)
        log_submissions(opened)
    return folder


@pytest.fixture
def logged_copy(logged: Path, tmp_path: Path) -> Iterator[Database]:
    """A copy of that campaign with its store; the artifacts stay where they were logged."""
    for name in ("campaign.duckdb", "mlflow.db"):
        shutil.copy(logged / name, tmp_path / name)
    with open_database(tmp_path / "campaign.duckdb") as opened:
        yield opened
