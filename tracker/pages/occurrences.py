"""The pages that list sentences: of a submission, with a relation or pattern, or that are searched.

A relation and a pattern have a page about where they occur, too. The page of a sentence leads from
one to the next of those among which it was looked at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...queries.errors.example_patterns import read_pattern
from ...queries.errors.examples import Examples, pattern_order
from ...queries.errors.jobs import check_metric, sentence_metrics
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
from .comparison import range_of
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
        raise UnknownNameError(f"there is no search by '{kind}'", hint=", ".join(KINDS))
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


CHANGES = {"lost": ("that lost", -1), "gained": ("that gained", 1), "most": ("by their change", 0)}
"""What sentences of a comparison did, in words and as the sign of what they won."""
RANGES = ("a", "b")
"""Ranges of the scores of both, as the page of the comparison has them."""


@dataclass(frozen=True)
class Among:
    """Some sentences of a submission in their order, and how an address names them."""

    numbers: Sequence[int]
    words: str
    state: Mapping[str, str]
    leads: str
    """The page that lists them."""


def among(tracker: Tracker, submission: str, request: Request) -> Among | None:
    """Return the sentences that an address names; None where it names none, or no submission."""
    chosen = {name: request[name] for name in PARAMETERS if request.get(name)}
    if "base" not in chosen:  # it was chosen to look at none
        chosen.pop("change", None)
    reader = next((READERS[name] for name in READERS if name in chosen), None)
    return reader(tracker, submission, chosen) if reader and submission else None


def _missed(tracker: Tracker, submission: str, chosen: Mapping[str, str]) -> Among:
    relation = chosen["relation"]
    numbers = _numbers(tracker, "sentences_missing", submission=submission, deprel=relation)
    state = {"relation": relation}
    leads = address("/missed", submission, **state)
    return Among(numbers, f"that miss {relation}", state, leads)


def _pattern(tracker: Tracker, submission: str, chosen: Mapping[str, str]) -> Among:
    state = {name: chosen[name] for name in ("pattern", "labels", "metric") if name in chosen}
    numbers = pattern_order(
        tracker.database,
        submission,
        chosen["pattern"],
        labels=chosen.get("labels"),
        metric=chosen.get("metric") or sentence_metrics(tracker.database, [submission])[0],
    )
    leads = address("/examples", submission, **state)
    return Among(numbers, f"with {chosen['pattern']}", state, leads)


def _changed(tracker: Tracker, submission: str, chosen: Mapping[str, str]) -> Among:
    change, base = chosen["change"], tracker.resolve(chosen.get("base", ""))
    metric = chosen.get("metric") or sentence_metrics(tracker.database, [submission, base])[0]
    check_metric(tracker.database, metric)
    if change not in CHANGES:
        raise InputError(f"'{change}' is no change of sentences", hint=", ".join(CHANGES))
    words, sign = CHANGES[change]
    ranges = {name: chosen[name] for name in RANGES if name in chosen}
    (low, high), (base_low, base_high) = (
        range_of(ranges, name, metric) or (-math.inf, math.inf) for name in RANGES
    )
    numbers = _numbers(
        tracker,
        "sentences_changed",
        new=submission,
        base=base,
        metric=metric,
        sign=sign and sign * direction(metric),
        **{"from": low, "to": high, "base_from": base_low, "base_to": base_high},
    )
    page = "/compare" if change == "most" else "/tested"
    leads = address(page, new=submission, base=base, metric=metric, **ranges)
    state = {"base": base, "change": change, "metric": metric, **ranges}
    return Among(numbers, f"{words} since {base}", state, leads)


def _ordered(tracker: Tracker, submission: str, chosen: Mapping[str, str]) -> Among:
    order = chosen["order"]
    numbers = _numbers(
        tracker,
        "sentences_in_order",
        submission=submission,
        order=order,
        direction=direction(order),
    )
    leads = (
        address("/sentences", submission, order=order)
        if order in ORDERS or order in metrics()
        else f"{address('/submission', submission, metric=order)}#sentences"
    )
    return Among(numbers, f"by {order}", {"order": order}, leads)


def _numbers(tracker: Tracker, name: str, **parameters: str | float) -> list[int]:
    rows = listing(tracker.database, name, **parameters).rows
    numbers: list[int] = rows["sentence_no"].to_pylist()
    return numbers


READERS = {"relation": _missed, "pattern": _pattern, "change": _changed, "order": _ordered}
PARAMETERS = (*READERS, *RANGES, "labels", "metric", "base")
"""What an address may say of the sentences among which one is looked at."""
