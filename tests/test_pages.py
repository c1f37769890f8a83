"""Pages about the project: what they name exists, and what they declare is sound."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from sr_tracker.schema import TOOL_VERSION
from tests.release import unlicensed

ROOT = Path(__file__).resolve().parents[1]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOLDER = "(?:schema|ingest|queries|tracker)"
MODULE = re.compile(rf"[`\[(]((?:sr_tracker\.)?{FOLDER}(?:\.\w+)*)[`\])]")
VERSION = re.compile(r"^## (.+)$", re.MULTILINE)


@pytest.mark.parametrize("name", sorted(set(MODULE.findall(ARCHITECTURE))))
def test_modules_of_the_architecture_exist(name: str) -> None:
    assert find_spec(f"sr_tracker.{name.removeprefix('sr_tracker.')}") is not None


def test_the_diagram_is_of_modules_that_are_joined() -> None:
    (diagram,) = re.findall(r"```mermaid\nflowchart TD\n(.*?)```", ARCHITECTURE, re.DOTALL)
    assert len(MODULE.findall(diagram)) >= 20
    defined = set(re.findall(r"(\w+)[\[(]", diagram))
    joined = set(re.findall(r"^ +(\w+)", diagram, re.MULTILINE))
    joined |= set(re.findall(r"--> (\w+)", diagram))
    assert joined == defined


def test_folders_of_the_architecture_exist() -> None:
    for path in re.findall(rf"`({FOLDER}/[\w/]+)`", ARCHITECTURE):
        assert any(ROOT.glob(path.replace("THEME", "*"))), path


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/architecture.md"]
)
def test_pages_that_are_linked_exist(page: str) -> None:
    folder = (ROOT / page).parent
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", (ROOT / page).read_text(encoding="utf-8"))
    for link in links:
        assert (folder / link).exists(), link


def test_the_citation_is_valid_and_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation.keys() >= {"cff-version", "message", "title", "authors"}
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == TOOL_VERSION == version(PROJECT["name"])
    assert citation["license"] == PROJECT["license"]
    assert citation["title"] == PROJECT["name"]
    for reference in [citation, *citation["references"]]:
        assert reference["authors"]
        for author in reference["authors"]:
            assert author.keys() in ({"name"}, {"family-names", "given-names"})
    for reference in citation["references"]:
        assert reference.keys() >= {"type", "title", "authors", "year"}


def test_the_changelog_follows_versions() -> None:
    headings = VERSION.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert headings[0] == "Unreleased"
    released = [
        re.fullmatch(r"(\d+\.\d+\.\d+)( \(\d{4}-\d\d-\d\d\))?", heading) for heading in headings[1:]
    ]
    assert all(released)
    numbers = [tuple(map(int, item[1].split("."))) for item in released if item]
    assert numbers == sorted(set(numbers), reverse=True)
    assert ".".join(map(str, numbers[0])) == TOOL_VERSION


def test_vendored_files_have_their_licences_beside_them() -> None:
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*")}
    assert any("/vendored/" in name for name in files)
    assert unlicensed(files) == []
    assert unlicensed({"docs/vendored/a.min.js"}) == ["docs/vendored/a.min.js"]
    assert unlicensed({"docs/vendored/a.min.js", "docs/vendored/a.LICENSE"}) == []
