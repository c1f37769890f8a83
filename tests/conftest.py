"""Fixtures and options shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine fails no test."""
settings.register_profile("short", UNHURRIED, max_examples=50)
settings.register_profile("long", UNHURRIED, max_examples=1000)
settings.load_profile("short")

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add how often the fault loops interrupt the tracker."""
    parser.addoption("--rounds", type=int, default=20, help="interruptions in tests/faults")


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
