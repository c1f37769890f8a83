"""The pages about one submission, or two: scores, relations, patterns, sentences, what changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...queries.errors.examples import Examples
from ...queries.errors.jobs import sentence_metrics
from ...queries.exploring import Name, Value, listing
from ...queries.metrics.registry import direction, headline_metrics, metrics
from ...schema.errors import InputError
from ...schema.names import check_names
from ..api.tracker import Tracker
from ..show.findings.sentences import examples_document
from ..show.model import Document, Field, Form, Page, Span
from . import Asked
from .addresses import address
from .lists import PAGE_ROWS, title_leads
from .sections import list_section

ORDERS = {
    "adequacy": ("adequacy_z", 1, "lowest adequacy first"),
    "length": ("length", -1, "longest first"),
    "number": ("sentence_no", 1, "in the treebank's order"),
}
"""Orders of sentences that are by no metric: the column, its direction, and in words."""


def sentences(tracker: Tracker, asked: Asked) -> Page:
    """Return the sentences of a submission in some order."""
    name = tracker.resolve(asked["submission"])
    known = sentence_metrics(tracker.database, [name])
    order = asked.get("order") or known[0]
    check_names("order", [order], {*known, *ORDERS})
    column, way, _ = ORDERS.get(order) or (order, direction(order), "")
    measures = [*dict.fromkeys([order if order in known else known[0], *headline_metrics()])]
    document, beside = _sentence_list(
        tracker,
        asked,
        name,
        "listed_sentences",
        "/sentences",
        {"order": order},
        sort=Name(column),
        direction=way,
        measures=measures,
    )
    options = [(each, f"worst {metrics()[each].label} first") for each in known]
    options += [(each, told) for each, (_, _, told) in ORDERS.items()]
    choice = Field("order", "Order", order, options)
    above = [Span(name, address=address("/submission", name))]
    return Page(document, above, [Form(address("/sentences", name), [choice])], beside)


def missed(tracker: Tracker, asked: Asked) -> Page:
    """Return the sentences in which a submission misses edges with a relation, most first."""
    name = tracker.resolve(asked["submission"])
    state = {"relation": asked.get("relation", "")}
    document, beside = _sentence_list(
        tracker, asked, name, "listed_missed", "/missed", state, deprel=state["relation"]
    )
    above = [Span(name, address=address("/submission", name))]
    relation = state["relation"]
    everywhere = Span(f"{relation} everywhere", address=address("/relation", relation))
    titled = replace(document, title=f"{relation} missed")
    return Page(titled, above, beside=[*beside, everywhere])


def _sentence_list(
    tracker: Tracker,
    asked: Asked,
    name: str,
    statement: str,
    page: str,
    state: dict[str, str],
    **parameters: Value,
) -> tuple[Document, Sequence[Span]]:
    """Return a piece of a list of sentences, and the links to the pieces before and after it."""
    told = asked.get("start", "0")
    if not told.isdecimal():
        raise InputError(f"'{told}' is no place to start at", hint="a number of sentences from 0")
    start = int(told)
    found = listing(
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
    if found.rows.num_rows == PAGE_ROWS:
        after = start + PAGE_ROWS
        beside.append(Span("more →", address=address(page, name, **state, start=after)))
    section = list_section("sentences.sentences", found, about=about, bars=headline_metrics())
    return Document("Sentences", name, [section], lead=name), beside


def examples(tracker: Tracker, asked: Asked) -> Page:
    """Return the sentences of a submission that contain a pattern, worst first."""
    name = tracker.resolve(asked["submission"])
    found = tracker.examples(
        name,
        asked.get("pattern", ""),
        labels=asked.get("labels") or None,
        metric=asked.get("metric") or sentence_metrics(tracker.database, [name])[0],
        limit=20,
    )
    above = [Span(name, address=address("/submission", name))]
    leads = address("/pattern", pattern=found.pattern, labels=found.labels)
    return Page(_linked(found), above, beside=[Span("this pattern everywhere", address=leads)])


def _linked(found: Examples) -> Document:
    """Return examples as a document whose titles lead to the sentences' pages."""
    document = examples_document(found, whole=True)
    (section,) = document.sections
    about = {
        "submission_id": found.submission_id,
        "treebank_id": found.treebank_id,
        "among": {"pattern": found.pattern, "labels": found.labels, "metric": found.metric},
    }
    cards = [
        title_leads(block, example.sentence_no, about)
        for block, example in zip(section.blocks, found.examples, strict=True)
    ]
    return replace(document, sections=[replace(section, title="Sentences", blocks=cards)])
