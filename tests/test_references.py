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
    "page",
    [
        references.COMMANDS,
        references.VIEWS,
        references.TABLES,
        references.METRICS,
        references.PAPERS,
    ],
)
def test_the_committed_page_is_what_the_generator_makes(page: str, pages: dict[str, str]) -> None:
    committed = (references.DOCS / page).read_text(encoding="utf-8")
    assert committed == pages[page], f"docs/{page} is not up to date: run 'make references'"


def test_every_command_and_every_view_is_there(pages: dict[str, str]) -> None:
    for name in COMMANDS:
        assert f"### tracker {name}\n" in pages[references.COMMANDS]
    assert "### tracker ingest treebank\n" in pages[references.COMMANDS]
    for view in views():
        message = f"### {view.name}\n" in pages[references.VIEWS]
        assert message is (view.group != references.HIDDEN)


def test_what_would_end_a_cell_is_escaped() -> None:
    assert references.table("ab", [("`[a|b]`", "two\nlines")]).endswith("| `[a\\|b]` | two lines |")


def test_no_stable_name_went_and_new_ones_are_written_down() -> None:
    """docs/installing.md promises them; what goes is taken out of the file by hand."""
    now, before = {*references.public_names()}, references.kept_names()
    gone = sorted(before - now)
    assert not gone, (
        f"stable names went: {gone}: bring them back, or follow docs/installing.md and take them "
        f"out of docs/{references.NAMES} by hand"
    )
    requests = sorted(name for name in now - before if name.endswith(" (required)"))
    owners = {name.removesuffix(" (required)").rpartition(" ")[0] for name in requests}
    assert not owners & before, f"calls of before lack what is newly required: {requests}"
    new = sorted(now - before)
    assert not new, f"docs/{references.NAMES} lacks {new}: run 'make references'"
