"""The four packages install as top-level modules: nothing else may ship one of these names."""

from __future__ import annotations

from importlib.metadata import packages_distributions

import pytest


@pytest.mark.parametrize("name", ["schema", "ingest", "queries", "tracker"])
def test_no_dependency_ships_a_module_of_this_name(name: str) -> None:
    assert set(packages_distributions().get(name, [])) <= {"sr-tracker"}
