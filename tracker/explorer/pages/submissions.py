"""The pages about one submission, or two: scores, relations, patterns, sentences, what changed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sr_tracker.queries.errors.examples import Examples
from sr_tracker.queries.exploring import listing
from sr_tracker.queries.metrics.registry import metrics
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api import Tracker
from sr_tracker.tracker.explorer.addresses import address
from sr_tracker.tracker.explorer.pages import Asked
from sr_tracker.tracker.explorer.pages.campaigns import runs_of
from sr_tracker.tracker.explorer.tables import PAGE_ROWS, listed, title_leads
from sr_tracker.tracker.show.findings.examples import examples_document
from sr_tracker.tracker.show.findings.suspicion_tree import suspicion_tree
from sr_tracker.tracker.show.model import (
    Block,
    Document,
    Field,
    Form,
    KeyFigure,
    Page,
    Paragraph,
    Section,
    Span,
)
from sr_tracker.tracker.show.numbers import number

PATTERNS, WORST = 15, 10
ORDERS = (
    ("bleu", "lowest BLEU first"),
    ("dea", "lowest DEA first"),
    ("chrf", "lowest chrF first"),
    ("adequacy", "lowest adequacy first"),
    ("length", "longest first"),
    ("number", "in the treebank's order"),
)


def submission(tracker: Tracker, asked: Asked) -> Page:
    """Return one model run: its scores, and where and on what it fails."""
    name = tracker.resolve(asked["submission"])
    (facts,) = tracker.show("leaderboard", submission=name).to_pylist()
    (run,) = tracker.show("submissions", submission=name).to_pylist()
    base = asked.get("base") or _base(tracker, run)
    sections = [
        _relations(tracker, name, base),
        _patterns(tracker, name),
        _worst(tracker, name, facts),
    ]
    told = [
        f"{run['system_kind']} of {run['team']}" if run["team"] else run["system_kind"],
        f"iteration {run['iteration']}",
        f"made {run['created_at']:%Y-%m-%d %H:%M}",
        f"{run['sentences'] - run['missing']:,} of {run['sentences']:,} sentences have an output",
        f"read from {run['source']}",
    ]
    document = Document(
        "Submission",
        name,
        sections,
        lead=" · ".join(told),
        figures=_figures(facts),
        notes=[
            f"{each}: {run[each]}" for each in ("params", "tags") if run[each] not in ("{}", None)
        ],
        provenance=[
            ("references", f"{run['treebank_id']}, as {run['reference_form']}"),
            ("analysed by", run["analysis"]),
        ],
    )
    since = f"what changed since {base}"
    beside = [Span(since, address=address("/compare", new=name, base=base))] if base else []
    return Page(document, trail(run), [_comparison(tracker, name, base)], beside)


def trail(run: dict[str, Any]) -> list[Span]:
    """Return the pages above a submission's: its campaign, treebank and system."""
    treebank = address("/leaderboard", campaign=run["campaign_id"], treebank=run["treebank_id"])
    return [
        Span(run["campaign_id"], address=address("/leaderboard", campaign=run["campaign_id"])),
        Span(run["treebank_id"], address=treebank),
        runs_of(run["system_id"]),
    ]


def _figures(facts: dict[str, Any]) -> list[KeyFigure]:
    known = {name: metric.label for name, metric in metrics().items()}
    known |= {"adequacy_z": "adequacy z", "fluency_z": "fluency z"}
    return [
        KeyFigure(label, number(facts[name]))
        for name, label in known.items()
        if facts.get(name) is not None
    ]


def _base(tracker: Tracker, run: dict[str, Any]) -> str:
    """Return what a run is set against unless told: its parent or the run before, or ""."""
    (row,) = tracker.show(
        "submission_history", submission=run["submission_id"], columns="previous_submission_id"
    ).to_pylist()
    return row["previous_submission_id"] or ""


def _comparison(tracker: Tracker, name: str, base: str) -> Form:
    others = listing(tracker.database, "listed_siblings", submission=name).rows.to_pylist()
    options = [
        (each["submission_id"], f"{each['submission_id']} (BLEU {number(each['bleu'])})")
        for each in others
    ]
    return Form(
        "/compare",
        [Field("new", "", name), Field("base", "Compare with", base, options)],
        "Compare",
    )


def _relations(tracker: Tracker, name: str, base: str) -> Section:
    found = listing(tracker.database, "listed_relations", submission=name, base=base)
    hidden = () if base else ("base_dea", "change")
    about = {"submission_id": name}
    table = listed(found, "Relations", about=about, bars=("dea", "base_dea"), hidden=hidden)
    reading = "Where most is lost stands first; a relation leads to the sentences that miss it."
    against = f" The base is {base}." if base else ""
    return Section(
        "relations",
        "Relations",
        "Edges found, by dependency relation",
        f"{reading}{against}",
        [table],
        "" if table.lines else "Dependency edge accuracy was not computed: tracker score.",
    )


def _patterns(tracker: Tracker, name: str) -> Section:
    found = listing(tracker.database, "listed_patterns", submission=name, rows=PATTERNS)
    table = listed(
        found,
        "Suspicious patterns",
        about={"submission_id": name},
        bars=("failure_rate", "base_rate"),
    )
    blocks: list[Block] = [table]
    with suppress(UnknownNameError):  # none was made
        rows = tracker.suspicion_tree(name).to_pylist()
        blocks.append(suspicion_tree("As a tree: sentences split on the worst pattern", rows))
    return Section(
        "patterns",
        "Patterns",
        "What goes with failure",
        "Subtrees of the references whose sentences fail more often than the others by more than "
        "chance; a pattern leads to its sentences, worst first.",
        blocks,
        "" if table.lines else "No pattern is suspicious, or none was mined yet: tracker analyse.",
    )


def _worst(tracker: Tracker, name: str, facts: dict[str, Any]) -> Section:
    found = listing(
        tracker.database,
        "listed_sentences",
        submission=name,
        order="bleu",
        rows=WORST,
        start=0,
    )
    table = listed(
        found,
        "Worst sentences",
        about={"submission_id": name, "treebank_id": facts["treebank_id"]},
        bars=("bleu", "dea", "chrf"),
    )
    every = Paragraph([Span("All sentences", address=address("/sentences", name))], "")
    return Section("sentences", "Sentences", "Worst sentences", "", [table, every])


def sentences(tracker: Tracker, asked: Asked) -> Page:
    """Return the sentences of a submission in some order."""
    name = tracker.resolve(asked["submission"])
    order = asked.get("order", "bleu")
    document, beside = _sentence_list(
        tracker, asked, name, "listed_sentences", "/sentences", {"order": order}
    )
    choice = Field("order", "Order", order, ORDERS)
    above = [Span(name, address=address("/submission", name))]
    return Page(document, above, [Form(address("/sentences", name), [choice])], beside)


def missed(tracker: Tracker, asked: Asked) -> Page:
    """Return the sentences in which a submission misses edges with a relation, most first."""
    name = tracker.resolve(asked["submission"])
    state = {"relation": asked.get("relation", "")}
    document, beside = _sentence_list(tracker, asked, name, "listed_missed", "/missed", state)
    above = [Span(name, address=address("/submission", name))]
    return Page(replace(document, title=f"{state['relation']} missed"), above, beside=beside)


def _sentence_list(
    tracker: Tracker, asked: Asked, name: str, statement: str, page: str, state: dict[str, str]
) -> tuple[Document, Sequence[Span]]:
    """Return a piece of a list of sentences, and the links to the pieces before and after it."""
    told = asked.get("start", "0")
    if not told.isdecimal():
        raise InputError(f"'{told}' is no place to start at", hint="a number of sentences from 0")
    start = int(told)
    parameters = {"deprel" if key == "relation" else key: value for key, value in state.items()}
    found = listing(
        tracker.database,
        statement,
        submission=name,
        rows=PAGE_ROWS,
        start=start,
        **parameters,
    )
    (run,) = tracker.show("submissions", submission=name).to_pylist()
    about = {"submission_id": name, "treebank_id": run["treebank_id"]}
    table = listed(found, "Sentences", about=about, bars=("bleu", "dea", "chrf"), filterable=True)
    beside = []
    if start:
        before = max(start - PAGE_ROWS, 0)
        beside.append(Span("← before", address=address(page, name, **state, start=before)))
    if len(table.lines) == PAGE_ROWS:
        after = start + PAGE_ROWS
        beside.append(Span("more →", address=address(page, name, **state, start=after)))
    section = Section(
        "sentences",
        "Sentences",
        "Sentences",
        "A number leads to the sentence with its tree and every output.",
        [table],
        "" if table.lines else "There is none.",
    )
    return Document("Sentences", name, [section], lead=name), beside


def examples(tracker: Tracker, asked: Asked) -> Page:
    """Return the sentences of a submission that contain a pattern, worst first."""
    name = tracker.resolve(asked["submission"])
    found = tracker.examples(
        name,
        asked.get("pattern", ""),
        labels=asked.get("labels") or None,
        metric=asked.get("metric") or "bleu",
        limit=20,
    )
    return Page(_linked(found), [Span(name, address=address("/submission", name))])


def _linked(found: Examples) -> Document:
    """Return examples as a document whose titles lead to the sentences' pages."""
    document = examples_document(found, whole=True)
    (section,) = document.sections
    about = {"submission_id": found.submission_id, "treebank_id": found.treebank_id}
    cards = [
        title_leads(block, example.sentence_no, about)
        for block, example in zip(section.blocks, found.examples, strict=True)
    ]
    return replace(document, sections=[replace(section, blocks=cards)])
