"""The pages that list sentences: of a submission, with a relation or pattern, or that are searched.

A relation and a pattern have a page about where they occur, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...queries.errors.example_patterns import read_pattern
from ...queries.errors.examples import Examples
from ...queries.errors.jobs import sentence_metrics
from ...queries.exploring import Listing, Name, Value, listing
from ...queries.functions.patterns import grew_request, parse_pattern
from ...queries.metrics.registry import direction, headline_metrics, metrics
from ...schema.brief import plural
from ...schema.errors import InputError, UnknownNameError
from ...schema.names import check_names
from ..api.tracker import Tracker
from ..show.findings.sentences import examples_document
from ..show.model import Document, Field, Form, Page, Section, Span
from . import Request
from .addresses import address
from .lists import PAGE_ROWS, title_leads
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
ORDERS = {
    "adequacy": ("adequacy_z", 1, "lowest adequacy first"),
    "length": ("length", -1, "longest first"),
    "number": ("sentence_no", 1, "in the treebank's order"),
}
"""Orders of sentences that are by no metric: the column, its direction, and in words."""


def relation(tracker: Tracker, request: Request) -> Page:
    """Return where a dependency relation occurs, and how systems and years do on it."""
    name = request["relation"]
    where = listing(tracker.database, "relation_treebanks", deprel=name)
    if not where.rows.num_rows:
        raise UnknownNameError(
            f"no reference has an edge with the relation '{name}'",
            hint="relations are universal ones, without subtypes, such as nsubj",
        )
    sections = _everywhere(tracker, "relation", {"deprel": name}, where)
    document = Document("Relation", name, sections, lead=_lead(where, "edges"))
    return Page(document, beside=[_search(name, "relation")])


def pattern(tracker: Tracker, request: Request) -> Page:
    """Return where a subtree pattern occurs, and where it goes with failure."""
    name = read_pattern(request.get("pattern", "")).text
    labels = request.get("labels") or None
    about: dict[str, Value] = {"pattern": name, "labels": labels}
    where = listing(tracker.database, "pattern_treebanks", **about)
    labels = labels or next(iter(where.rows["labels"].to_pylist()), None)
    grew = grew_request(parse_pattern(name), labels) if labels else None
    document = Document(
        "Pattern",
        name,
        _everywhere(tracker, "pattern", about, where),
        lead=_lead(where, "sentences"),
        provenance=[("in Grew", grew)] if grew else [],
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


def search(tracker: Tracker, request: Request) -> Page:
    """Return the texts that contain words, or whose trees have a relation or a pattern."""
    words, kind = request.get("words", "").strip(), request.get("kind", "text")
    if kind not in KINDS:
        raise UnknownNameError(f"nothing is searched by '{kind}'", hint=", ".join(KINDS))
    options = [(name, text) for name, (text, _) in KINDS.items()]
    fields = [
        Field("words", "In references and outputs", words),
        Field("kind", "look for", kind, options),
    ]
    form = Form("/search", fields, "Search")
    if not words:
        nothing = section("search.found", missing="Nothing was searched for yet.", reading="")
        return Page(Document("Search", "Search", [nothing]), forms=[form])
    sought = read_pattern(words).text if kind == "pattern" else words
    passages = listing(tracker.database, KINDS[kind][1], words=sought, rows=PAGE_ROWS)
    count = passages.rows.num_rows
    more = " (the first ones)" if count == PAGE_ROWS else ""
    texts = list_section("search.found", passages, title=f"{plural(count, 'text')}{more}")
    everywhere = {
        "relation": address("/relation", words),
        "pattern": address("/pattern", pattern=sought),
    }.get(kind)
    beside = [Span(f"{sought} everywhere", address=everywhere)] if everywhere else []
    return Page(Document("Search", words, [texts]), forms=[form], beside=beside)


def sentences(tracker: Tracker, request: Request) -> Page:
    """Return the sentences of a submission in some order."""
    name = tracker.resolve(request["submission"])
    scored = sentence_metrics(tracker.database, [name])
    order = request.get("order") or scored[0]
    check_names("order", [order], {*scored, *ORDERS})
    column, way, _ = ORDERS.get(order) or (order, direction(order), "")
    measures = [*dict.fromkeys([order if order in scored else scored[0], *headline_metrics()])]
    document, beside = _sentence_list(
        tracker,
        request,
        name,
        "listed_sentences",
        "/sentences",
        {"order": order},
        sort=Name(column),
        direction=way,
        measures=measures,
    )
    options = [(other, f"worst {metrics()[other].label} first") for other in scored]
    options += [(other, description) for other, (_, _, description) in ORDERS.items()]
    choice = Field("order", "Order", order, options)
    above = [Span(name, address=address("/submission", name))]
    return Page(document, above, [Form(address("/sentences", name), [choice])], beside)


def missed(tracker: Tracker, request: Request) -> Page:
    """Return the sentences in which a submission misses edges with a relation, most first."""
    name = tracker.resolve(request["submission"])
    state = {"relation": request.get("relation", "")}
    document, beside = _sentence_list(
        tracker, request, name, "listed_missed", "/missed", state, deprel=state["relation"]
    )
    above = [Span(name, address=address("/submission", name))]
    relation = state["relation"]
    everywhere = Span(f"{relation} everywhere", address=address("/relation", relation))
    titled = replace(document, title=f"{relation} missed")
    return Page(titled, above, beside=[*beside, everywhere])


def _sentence_list(
    tracker: Tracker,
    request: Request,
    name: str,
    statement: str,
    page: str,
    state: dict[str, str],
    **parameters: Value,
) -> tuple[Document, Sequence[Span]]:
    """Return a piece of a list of sentences, and the links to the pieces before and after it."""
    place = request.get("start", "0")
    if not place.isdecimal():
        raise InputError(f"'{place}' is no place to start at", hint="a number of sentences from 0")
    start = int(place)
    rows = listing(
        tracker.database,
        statement,
        submission=name,
        rows=PAGE_ROWS,
        start=start,
        **parameters,
    )
    (run,) = tracker.show("submission", columns="treebank_id", submission=name).to_pylist()
    about = {"submission_id": name, "treebank_id": run["treebank_id"], "among": state}
    beside = []
    if start:
        before = max(start - PAGE_ROWS, 0)
        beside.append(Span("← before", address=address(page, name, **state, start=before)))
    if rows.rows.num_rows == PAGE_ROWS:
        after = start + PAGE_ROWS
        beside.append(Span("more →", address=address(page, name, **state, start=after)))
    shown = list_section("sentences.sentences", rows, about=about, bars=headline_metrics())
    return Document("Sentences", name, [shown], lead=name), beside


def examples(tracker: Tracker, request: Request) -> Page:
    """Return the sentences of a submission that contain a pattern, worst first."""
    name = tracker.resolve(request["submission"])
    result = tracker.examples(
        name,
        request.get("pattern", ""),
        labels=request.get("labels") or None,
        metric=request.get("metric") or sentence_metrics(tracker.database, [name])[0],
        limit=20,
    )
    above = [Span(name, address=address("/submission", name))]
    leads = address("/pattern", pattern=result.pattern, labels=result.labels)
    return Page(_linked(result), above, beside=[Span("this pattern everywhere", address=leads)])


def _linked(result: Examples) -> Document:
    """Return examples as a document whose titles lead to the sentences' pages."""
    document = examples_document(result, whole=True)
    (section,) = document.sections
    about = {
        "submission_id": result.submission_id,
        "treebank_id": result.treebank_id,
        "among": {"pattern": result.pattern, "labels": result.labels, "metric": result.metric},
    }
    cards = [
        title_leads(block, example.sentence_no, about)
        for block, example in zip(section.blocks, result.examples, strict=True)
    ]
    return replace(document, sections=[replace(section, title="Sentences", blocks=cards)])
