"""Sections as ``sections.toml`` defines them: how each is called, and the rows that it shows.

A section is named by its page and itself, such as ``submission.relations``. ``words`` fill its
texts, which in most are the parameters of its statement. ``changes`` replace its texts, and
replace or add options of its table.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from ...queries.exploring import Listing, Value, listing, queried
from ...queries.metrics.registry import label_of
from ...queries.reading import view_query
from ...schema.database import Database
from ...schema.statements import Row, read_rows
from ...schema.themes import members
from ..show.model import Block, Brought, Details, Section, Table
from .addresses import address
from .lists import listed

_TEXTS = ("anchor", "name", "title", "reading", "missing", "caption")
_SOURCES = ("statement", "view", "trees")
_NONE: Mapping[str, Value] = {}
_ANALYSES = "Correlations, significance, word order and other analyses"


@cache
def _definitions() -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads(files(__package__).joinpath("sections.toml").read_text(encoding="utf-8"))


def _definition(place: str, changes: Mapping[str, Any] = _NONE) -> dict[str, Any]:
    page, _, name = place.partition(".")
    return {"anchor": name, **_definitions()[page][name], **changes}


def _options(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a section's table."""
    return {n: value for n, value in definition.items() if n not in (*_TEXTS, *_SOURCES)}


def section(
    place: str,
    blocks: Sequence[Block] = (),
    words: Mapping[str, Value] = _NONE,
    *,
    empty: bool | None = None,
    **changes: Any,
) -> Section:
    """Return a section of some blocks; where it is ``empty`` it says what is missing.

    It is where there are no blocks, unless said otherwise.
    """
    texts = _definition(place)

    metric = {"metric": label_of(str(words["metric"]))} if "metric" in words else {}

    def text(name: str) -> str:
        text = texts.get(name, "")
        return str(changes[name]) if name in changes else text.format_map({**words, **metric})

    missing = text("missing") if (not blocks if empty is None else empty) else ""
    title = text("title") or text("name")
    return Section(text("anchor"), text("name"), title, text("reading"), blocks, missing)


def without_trees(
    database: Database, sections: Iterable[Section], submissions: Sequence[str]
) -> list[Section]:
    """Return sections, but not those about trees where no reference of the submissions has one."""
    if read_rows(database, "references_with_words", submissions=[*submissions]):
        return [*sections]
    of_trees = {
        definition.get("anchor", name)
        for page in _definitions().values()
        for name, definition in page.items()
        if definition.get("trees")
    }
    return [section for section in sections if section.anchor not in of_trees]


def sections_of_themes(name: str, *about: Any) -> list[Section]:
    """Return the sections that functions of this name in themes' modules ``pages`` make."""
    return [added for sections in members("tracker", "pages", name) for added in sections(*about)]


def analyses_section(parts: str = "main section", **chosen: str) -> Section:
    """Return the section that brings parts of the page of the analyses of what is ``chosen``.

    They are brought when they are unfolded.
    """
    text = f"Analyses of {' · '.join(chosen.values())}"
    brought = Brought(address("/analyses", **chosen), text, parts)
    return section("subject.analyses", [Details(_ANALYSES, [brought], anchor="of-analyses")])


def folded_part(name: str, title: str, page: str, **state: str) -> Details:
    """Return what brings a part of a page when it is unfolded: what the page shows of it alone."""
    leads = address(page, **state, part=name)
    brought = Brought(leads, f"{title}: a page of its own", "main section > :not(h2)")
    return Details(title, [brought], anchor=name)


def section_table(place: str, rows: Listing | Sequence[Row], **changes: Any) -> Table:
    """Return rows as the table of a section, whose names lead to pages.

    Where the section names its columns, those that are undefined in all rows are left out.
    """
    import pyarrow as pa

    defined = _definition(place, changes)
    options = {"without_empty": "columns" in defined, **_options(defined)}
    if not isinstance(rows, Listing):
        rows = Listing(pa.Table.from_pylist([*rows]), "")
    return listed(
        rows,
        defined.get("caption") or defined["name"],
        view=defined.get("view", ""),
        **options,
    )


def list_section(
    place: str,
    rows: Listing | Sequence[Row],
    words: Mapping[str, Value] = _NONE,
    *,
    after: Sequence[Block] = (),
    **changes: Any,
) -> Section:
    """Return a section with the table of rows and further blocks ``after`` it."""
    shown = section_table(place, rows, **changes)
    return section(place, [shown, *after], words, empty=not shown.lines, **changes)


def read_section(
    database: Database, place: str, parameters: Mapping[str, Value] = _NONE, **changes: Any
) -> Section:
    """Return a section with the rows of its statement, or of its view."""
    return list_section(place, read_rows_of(database, place, parameters), parameters, **changes)


def read_rows_of(
    database: Database, place: str, parameters: Mapping[str, Value] = _NONE, **selection: Any
) -> Listing:
    """Return the rows of a section's statement, or its view's, as ``view_query`` selects."""
    defined = _definition(place)
    if "statement" in defined:
        return listing(database, defined["statement"], **parameters)
    return queried(database, view_query(database, defined["view"], **selection))
