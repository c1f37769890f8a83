"""The reference pages are what the commands and the views are."""

from __future__ import annotations

import pytest

from sr_tracker.queries.catalog import views
from sr_tracker.tracker.cli.groups import COMMANDS
from tests import references


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return references.pages()


@pytest.mark.parametrize(
    "page", [references.COMMANDS, references.VIEWS, references.TABLES, references.METRICS]
)
def test_the_committed_page_is_what_the_generator_makes(page: str, pages: dict[str, str]) -> None:
    committed = (references.DOCS / page).read_text(encoding="utf-8")
    assert committed == pages[page], f"docs/{page} is not up to date: run 'make references'"


def test_every_command_and_every_view_is_there(pages: dict[str, str]) -> None:
    for name in COMMANDS:
        assert f"### tracker {name}\n" in pages[references.COMMANDS]
    assert "### tracker ingest treebank\n" in pages[references.COMMANDS]
    for view in views():
        told = f"### {view.name}\n" in pages[references.VIEWS]
        assert told is (view.group != references.HIDDEN)


def test_what_would_end_a_cell_is_escaped() -> None:
    assert references.table("ab", [("`[a|b]`", "two\nlines")]).endswith("| `[a\\|b]` | two lines |")
