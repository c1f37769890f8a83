"""The pages about a relation or a pattern everywhere, and the search for words, and for these."""

from __future__ import annotations

from ...queries.errors.example_patterns import read_pattern
from ...queries.exploring import Listing, listing
from ...queries.functions.grew import grew_request
from ...queries.functions.patterns import parse_pattern
from ...schema.brief import plural
from ...schema.errors import UnknownNameError
from ..api import Tracker
from ..show.model import Document, Field, Form, Page, Section, Span, Table
from . import Asked
from .addresses import address
from .lists import PAGE_ROWS, empty_columns, listed

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
    systems = listing(tracker.database, "relation_submissions", deprel=name, rows=ROWS)
    sections = [
        _where(where),
        Section(
            "systems",
            "Systems",
            "How systems do on it",
            "Edges with it that outputs realise, the best of a treebank first; what was missed "
            "leads to the sentences.",
            [_of_submissions(systems, {"deprel": name}, bars=("dea",))],
            "" if systems.rows.num_rows else "Nothing was scored yet: tracker score.",
        ),
    ]
    if len({*systems.rows["year"].to_pylist()}) > 1:
        years = listing(tracker.database, "relation_years", deprel=name)
        sections.append(_years(years, ("best", "median", "worst")))
    document = Document("Relation", name, sections, lead=_lead(where, "edges"))
    return Page(document, beside=[_search(name, "relation")])


def pattern(tracker: Tracker, asked: Asked) -> Page:
    """Return where a subtree pattern occurs, and where it goes with failure."""
    name = read_pattern(asked.get("pattern", "")).text
    chosen = {"pattern": name, "labels": asked.get("labels") or None}
    where = listing(tracker.database, "pattern_treebanks", **chosen)
    systems = listing(tracker.database, "pattern_submissions", rows=ROWS, **chosen)
    sections = [
        _where(where),
        Section(
            "systems",
            "Systems",
            "Whose failures it goes with",
            "How often sentences with it fail, against all sentences; the number of failed ones "
            "leads to them.",
            [_of_submissions(systems, chosen, bars=("failure_rate", "base_rate"))],
            "" if systems.rows.num_rows else "It was mined in no submission: tracker analyse.",
        ),
    ]
    if len({*systems.rows["year"].to_pylist()}) > 1:
        years = listing(tracker.database, "pattern_years", **chosen)
        sections.append(_years(years, ("failure_rate", "base_rate")))
    labels = chosen["labels"] or next(iter(where.rows["labels"].to_pylist()), None)
    request = grew_request(parse_pattern(name), labels) if labels else None
    document = Document(
        "Pattern",
        name,
        sections,
        lead=_lead(where, "sentences"),
        provenance=[("in Grew", request)] if request else [],
    )
    return Page(document, beside=[_search(name, "pattern")])


def _where(found: Listing) -> Section:
    return Section(
        "where",
        "Where",
        "Where it occurs",
        blocks=[listed(found, "Treebanks", bars=("share",))],
        missing=""
        if found.rows.num_rows
        else "It is enumerated in no treebank: too rare, or tracker analyse was not run.",
    )


def _of_submissions(found: Listing, about: dict[str, str | None], bars: tuple[str, ...]) -> Table:
    return listed(
        found,
        "Submissions",
        about=about,
        bars=bars,
        hidden={"pattern", *empty_columns(found)},
        filterable=True,
        shown=PAGE_ROWS,
        rest="submissions",
    )


def _years(found: Listing, bars: tuple[str, ...]) -> Section:
    reading = "Each system by its newest run. Test sets differ from year to year."
    table = listed(found, "Years", bars=bars)
    return Section("years", "Years", "From year to year", reading, [table])


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
        section = Section("found", "Found", "Found", missing="Nothing was searched for yet.")
        return Page(Document("Search", "Search", [section]), forms=[form])
    sought = read_pattern(words).text if kind == "pattern" else words
    found = listing(tracker.database, KINDS[kind][1], words=sought, rows=PAGE_ROWS)
    hidden = empty_columns(found)
    table = listed(found, "Texts", hidden=hidden, filterable=True)
    more = " (the first ones)" if len(table.lines) == PAGE_ROWS else ""
    section = Section(
        "found",
        "Found",
        f"{plural(len(table.lines), 'text')}{more}",
        "A number leads to the sentence with its tree and every output.",
        [table],
        "" if table.lines else "No reference and no output has this.",
    )
    everywhere = {
        "relation": address("/relation", words),
        "pattern": address("/pattern", pattern=sought),
    }.get(kind)
    beside = [Span(f"{sought} everywhere", address=everywhere)] if everywhere else []
    return Page(Document("Search", words, [section]), forms=[form], beside=beside)
