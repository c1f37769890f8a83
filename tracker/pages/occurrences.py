"""The pages about a relation or a pattern everywhere, and the search for words, and for these."""

from __future__ import annotations

from ...queries.errors.example_patterns import read_pattern
from ...queries.exploring import Listing, Value, listing
from ...queries.functions.patterns import grew_request, parse_pattern
from ...schema.brief import plural
from ...schema.errors import UnknownNameError
from ..api.tracker import Tracker
from ..show.model import Document, Field, Form, Page, Section, Span
from . import Asked
from .addresses import address
from .lists import PAGE_ROWS
from .sections import list_section, read_section, section

ROWS = 500
"""Submissions that are listed, at most."""
KINDS = {
    "text": ("texts that contain it", "listed_matches"),
    "lemma": ("a word by its lemma", "lemma_matches"),
    "relation": ("a dependency relation", "relation_matches"),
    "pattern": ("a subtree pattern", "pattern_matches"),
}
"""What may be searched for, in words, and the statement that finds it."""


def relation(tracker: Tracker, asked: Asked) -> Page:
    """Return where a dependency relation occurs, and how systems and years do on it."""
    name = asked["relation"]
    where = listing(tracker.database, "relation_treebanks", deprel=name)
    if not where.rows.num_rows:
        raise UnknownNameError(
            f"no reference has an edge with the relation '{name}'",
            hint="relations are universal ones, without subtypes, such as nsubj",
        )
    sections = _everywhere(tracker, "relation", {"deprel": name}, where)
    document = Document("Relation", name, sections, lead=_lead(where, "edges"))
    return Page(document, beside=[_search(name, "relation")])


def pattern(tracker: Tracker, asked: Asked) -> Page:
    """Return where a subtree pattern occurs, and where it goes with failure."""
    name = read_pattern(asked.get("pattern", "")).text
    labels = asked.get("labels") or None
    about: dict[str, Value] = {"pattern": name, "labels": labels}
    where = listing(tracker.database, "pattern_treebanks", **about)
    labels = labels or next(iter(where.rows["labels"].to_pylist()), None)
    request = grew_request(parse_pattern(name), labels) if labels else None
    document = Document(
        "Pattern",
        name,
        _everywhere(tracker, "pattern", about, where),
        lead=_lead(where, "sentences"),
        provenance=[("in Grew", request)] if request else [],
    )
    return Page(document, beside=[_search(name, "pattern")])


def _everywhere(
    tracker: Tracker, page: str, about: dict[str, Value], where: Listing
) -> list[Section]:
    """Return where it occurs, in which submissions, and from year to year where there are some."""
    database = tracker.database
    submissions = listing(database, f"{page}_submissions", rows=ROWS, **about)
    sections = [
        list_section(f"{page}.where", where),
        list_section(f"{page}.systems", submissions, about=about),
    ]
    if len({*submissions.rows["year"].to_pylist()}) > 1:
        sections.append(read_section(database, f"{page}.years", about))
    return sections


def _lead(where: Listing, counted: str) -> str:
    count = sum(where.rows[counted].to_pylist())
    return f"{count:,} {counted} in {plural(where.rows.num_rows, 'treebank')}"


def _search(words: str, kind: str) -> Span:
    return Span("sentences with it", address=address("/search", words=words, kind=kind))


def search(tracker: Tracker, asked: Asked) -> Page:
    """Return the texts that contain words, or whose trees have a relation or a pattern."""
    words, kind = asked.get("words", "").strip(), asked.get("kind", "text")
    if kind not in KINDS:
        raise UnknownNameError(f"nothing is searched by '{kind}'", hint=", ".join(KINDS))
    options = [(name, told) for name, (told, _) in KINDS.items()]
    fields = [
        Field("words", "In references and outputs", words),
        Field("kind", "look for", kind, options),
    ]
    form = Form("/search", fields, "Search")
    if not words:
        nothing = section("search.found", missing="Nothing was searched for yet.", reading="")
        return Page(Document("Search", "Search", [nothing]), forms=[form])
    sought = read_pattern(words).text if kind == "pattern" else words
    found = listing(tracker.database, KINDS[kind][1], words=sought, rows=PAGE_ROWS)
    count = found.rows.num_rows
    more = " (the first ones)" if count == PAGE_ROWS else ""
    texts = list_section("search.found", found, title=f"{plural(count, 'text')}{more}")
    everywhere = {
        "relation": address("/relation", words),
        "pattern": address("/pattern", pattern=sought),
    }.get(kind)
    beside = [Span(f"{sought} everywhere", address=everywhere)] if everywhere else []
    return Page(Document("Search", words, [texts]), forms=[form], beside=beside)
