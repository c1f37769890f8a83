"""The pages of two submissions or more: where which of them is better, and every test of it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ...queries.change.comparison.comparing import rankings
from ...queries.change.comparison.model import SentenceChange, Settings, Side
from ...queries.change.comparison.sides import IncomparableError, Pairing, objections, read_sides
from ...queries.change.comparison.verdict import short_names
from ...queries.errors.jobs import check_metric, sentence_metrics
from ...queries.exploring import Listing, Value, listing
from ...queries.metrics.registry import direction, label_of, points, usual_metrics
from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError
from ..api.tracker import Tracker
from ..show.charts import chart
from ..show.charts.saving import embedded, fitted
from ..show.findings.comparison import comparison_document, key_figures
from ..show.findings.ranking import ranking_document
from ..show.model import (
    Block,
    Brought,
    Card,
    Chart,
    Details,
    Document,
    Field,
    Form,
    Page,
    Section,
    Span,
    Tab,
    Table,
    Tabs,
)
from . import Request
from .addresses import address, address_of
from .lists import PAGE_ROWS, first_leads, labelled, title_leads
from .sections import list_section, read_rows_of, section, section_table, without_trees
from .verdicts import outcome_tone, stored_verdict

WHY = ".objection, #why"
WHOLE_VERDICT = f"{WHY}, .verdict, header > .figures, header > .more-figures"
"""What of the page of all tests a comparison brings, as selectors."""
MOST = 6
"""Submissions that one page compares."""
PATTERNS, SENTENCES = 20, 50
CERTAINLY_CHANCE = 0.9995
"""From here on a p-value reads 1.000."""
CHART_HEIGHT = 440
Range: TypeAlias = tuple[float, float]
ANY: Range = (-math.inf, math.inf)
_RANGE = re.compile(r"\s*(-?[\d.]+)?\s*\.\.\s*(-?[\d.]+)?\s*")


@dataclass(frozen=True)
class _Pair:
    """A submission against the base."""

    new: Side
    base: Side
    metric: str

    @property
    def parameters(self) -> dict[str, str]:
        return {"submission": self.new.submission_id, "base": self.base.submission_id}

    @property
    def of_metric(self) -> dict[str, Value]:
        return {
            **self.parameters,
            "treebank": self.new.treebank_id,
            "metric": self.metric,
            "direction": direction(self.metric),
            "rows": PATTERNS,
        }

    @property
    def about(self) -> dict[str, str]:
        return {"submission_id": self.new.submission_id, "treebank_id": self.new.treebank_id}


def compare(tracker: Tracker, request: Request) -> Page:
    """Return on what submissions are better and worse than a base."""
    database = tracker.database
    submissions = chosen(tracker, request)
    base, *others = read_sides(database, submissions)
    metric = request.get("metric") or sentence_metrics(database, submissions)[0]
    check_metric(database, metric)
    pairs = [_Pair(side, base, metric) for side in others]
    state = _state(pairs)
    tested = address("/tested", **state)
    stored = stored_verdict(database, others[0].submission_id, base.submission_id)
    stored = stored if len(others) == 1 else None
    parts = WHY if stored else WHOLE_VERDICT
    verdict: list[Block] = [Brought(tested, "Every difference with its test.", parts)]
    scores = listing(
        database,
        "listed_pair_measures",
        submissions=[side.submission_id for side in others],
        base=base.submission_id,
        measures=usual_metrics(),
    )
    objected = dict.fromkeys(
        objection
        for side in others
        for objection in objections(Pairing(database, side, base), [*usual_metrics()])
    )
    names = short_names([*others, base])
    ranges = range_of(request, "a", metric), range_of(request, "b", metric)
    measured = _scores(scores, several=len(others) > 1, objected=[*objected])
    sections = [
        _sentences(tracker, pairs[0], (names[0], names[-1]), ranges, state),
        *without_trees(
            database, (_part(tracker, place, pairs, names) for place in PARTS), submissions
        ),
    ]
    sections = [measured, *sections] if len(others) > 1 else [*sections, measured]
    document = Document(
        "Comparison",
        f"{', '.join(names[:-1])} against {names[-1]}",
        [
            Section("verdict", "Verdict", "", blocks=verdict),
            *sorted(sections, key=lambda section: bool(section.missing)),
        ],
        lead=f"{base.treebank_id} · differences are from {names[-1]}",
        verdict=stored.verdict if stored else [],
        tone=outcome_tone(stored.outcome) if stored else "",
        figures=key_figures(stored) if stored else [],
        notes=[*objected],
    )
    trail = [
        Span(base.campaign_id, address=address("/leaderboard", campaign=base.campaign_id)),
        Span(base.treebank_id, address=address("/leaderboard", treebank=base.treebank_id)),
        *(
            Span(side.submission_id, address=address("/submission", side.submission_id))
            for side in [*others, base]
        ),
    ]
    turned = {**state, "new": base.submission_id, "base": others[0].submission_id}
    beside = [
        Span("the other way round", address=address("/compare", **turned, metric=metric)),
        Span("every test", address=tested),
    ]
    return Page(document, trail, [_choice(tracker, pairs, scores)], beside)


def _state(pairs: Sequence[_Pair]) -> dict[str, str | list[str]]:
    new, *others = (pair.new.submission_id for pair in pairs)
    return {"new": new, "base": pairs[0].base.submission_id, "other": others}


def range_of(request: Request, name: str, metric: str) -> Range | None:
    """Return the range of scores that an address holds, such as 20..50, from 0 to 1.

    Addresses and fields have the unit that people read; either end may be left out.
    """
    text = request.get(name, "").strip()
    if not text:
        return None
    match = _RANGE.fullmatch(text)
    try:
        ends = [None if end is None else float(end) for end in match.groups()] if match else []
    except ValueError:
        ends = []
    if not ends:
        raise InputError(f"'{text}' is no range of scores", hint="such as 20..50, or ..50")
    low, high = (None if end is None else end / points(metric, 1.0) for end in ends)
    return (-math.inf if low is None else low, math.inf if high is None else high)


def _choice(tracker: Tracker, pairs: Sequence[_Pair], scores: Listing) -> Form:
    base, new = pairs[0].base.submission_id, pairs[0].new.submission_id
    siblings = listing(tracker.database, "listed_siblings", submission=new, rows=PAGE_ROWS)
    rows = siblings.rows["submission_id"].to_pylist()
    beside = [pair.new.submission_id for pair in pairs[1:]]
    ids = [(name, name) for name in dict.fromkeys([new, base, *beside, *rows])]
    more = [name for name in ids if name[0] not in (new, base)]
    others = "\n".join(beside)
    measures = dict.fromkeys([*scores.rows["measure"].to_pylist(), pairs[0].metric])
    return Form(
        "/compare",
        [
            Field("new", "This", new, [name for name in ids if name[0] != base]),
            Field("base", "against", base, [name for name in ids if name[0] != new]),
            Field("other", "and more beside it", others, more, several=True),
            Field("metric", "sentences by", pairs[0].metric, labelled(measures)),
        ],
        "Compare",
    )


def _scores(scores: Listing, *, several: bool, objected: Sequence[str]) -> Section:
    reading = "Not comparable, and left out where so: " + "; ".join(objected) if objected else ""
    hidden = () if several else ("submission_id",)
    return list_section("compare.scores", scores, reading=reading, hidden=hidden)


def _sentences(
    tracker: Tracker,
    pair: _Pair,
    names: tuple[str, str],
    ranges: tuple[Range | None, Range | None],
    state: dict[str, str | list[str]],
) -> Section:
    """Return the sentences that changed most, and the chart over which a box chooses among them."""
    scored = listing(tracker.database, "listed_pair_scores", **pair.parameters, metric=pair.metric)
    sentences = scored.rows.to_pylist()
    better = direction(pair.metric)
    box = None if ranges == (None, None) else (ranges[0] or ANY, ranges[1] or ANY)
    label = label_of(pair.metric)
    brush = [[points(pair.metric, end) for end in ends] for ends in box or ()]
    drawn = chart("sentence_pairs_chart", sentences, names, measure=pair.metric, brush=brush)
    alternative = (
        f"{label} of {plural(len(sentences), 'sentence')}: {names[0]} upwards, {names[1]} "
        f"from left to right; above the line {names[0]} is higher"
    )
    among = {"base": pair.base.submission_id, "change": "most", "metric": pair.metric}
    about = {**pair.about, "among": among}
    specification = embedded(
        fitted(drawn, label, CHART_HEIGHT),
        lambda point: address_of("sentence_no", {**about, **point}),
    )
    shown = Chart("sentences", specification, alternative, query=scored.query)
    signs = [better * (sentence["score"] - sentence["base_score"]) for sentence in sentences]
    won, lost = sum(sign > 0 for sign in signs), sum(sign < 0 for sign in signs)
    reading = (
        f"By {label} {names[0]} is better on {won:,} and worse on {lost:,} of "
        f"{plural(len(sentences), 'sentence')}. Draw a box to list what is in it, or give the "
        "ranges."
    )
    (low, high), (left, right) = box or (ANY, ANY)
    inside = sum(
        low <= sentence["score"] <= high and left <= sentence["base_score"] <= right
        for sentence in sentences
    )
    texts = [_as_text(ends, pair.metric) for ends in ranges]
    among |= dict(zip(("a", "b"), texts, strict=True))
    ends = {"from": low, "to": high, "base_from": left, "base_to": right}
    changed = listing(
        tracker.database, "listed_pair_sentences", **{**pair.of_metric, **ends, "rows": SENTENCES}
    )
    table = section_table("compare.sentences", changed, about={**pair.about, "among": among})
    form = Form(
        "/compare",
        [
            *(
                Field(name, "", value if isinstance(value, str) else "\n".join(value), several=True)
                for name, value in {**state, "metric": pair.metric}.items()
            ),
            Field("a", f"{label} of {names[0]}", texts[0]),
            Field("b", f"{label} of {names[1]}", texts[1]),
        ],
        "List",
        brushes="#listed",
    )
    where = "in the box" if box else "in all"
    first = "the most changed first" if inside <= SENTENCES else f"the {SENTENCES} most changed"
    title = f"{plural(inside, 'sentence')} {where}, {first}"
    cards = [
        Card(title, blocks=[table], anchor="listed", framed=False),
        Card(blocks=[shown, form], framed=False),
    ]
    words = {"metric": pair.metric, "reading": reading}
    return section("compare.sentences", cards, words, empty=not sentences)


def _as_text(ends: Range | None, metric: str) -> str:
    if ends is None:
        return ""
    return "..".join("" if math.isinf(end) else f"{points(metric, end):g}" for end in ends)


PATTERNS_PLACE = "compare.patterns"
PARTS = ("compare.relations", PATTERNS_PLACE, "compare.complexity", "compare.labels")
"""Tables that there are for each pair."""


def _part(tracker: Tracker, place: str, pairs: Sequence[_Pair], names: Sequence[str]) -> Section:
    """Return the table of a pair, or a tab for each of several; and why there is none."""
    sections = [_of_pair(tracker.database, place, pair) for pair in pairs]
    if len(pairs) == 1 or all(part.missing for part in sections):
        return sections[0]
    tabs = [Tab(name, part.blocks) for name, part in zip(names[:-1], sections, strict=True)]
    return replace(sections[0], blocks=[Tabs(sections[0].anchor, tabs)], missing="")


def _of_pair(database: Database, place: str, pair: _Pair) -> Section:
    """Return the table of a pair; rows whose p-value reads 1.000 are folded."""
    rows = read_rows_of(database, place, pair.of_metric)
    p_values = rows.rows["p_holm"].to_pylist() if "p_holm" in rows.rows.column_names else []
    changed = sum(p is not None and p < CERTAINLY_CHANCE for p in p_values)
    tested = any(p is not None for p in p_values)
    part = list_section(
        place,
        rows,
        pair.of_metric,
        about={**pair.about, "metric": pair.metric},
        after=[_tested_patterns(pair)] if place == PATTERNS_PLACE else (),
        **({"shown": changed} if tested else {}),
    )
    if not tested or changed or part.missing:
        return part
    folded = f"{len(p_values):,} {part.anchor}, none of which changed: p is 1.000 after correction"
    return replace(part, blocks=[Details(folded, part.blocks)])


def _tested_patterns(pair: _Pair) -> Details:
    """Return the tests of patterns, which are made when somebody unfolds them."""
    leads = address("/tested", new=pair.new.submission_id, base=pair.base.submission_id)
    brought = Brought(leads, "Every difference with its test.", "#patterns .blocks > *")
    return Details("Patterns that became more or less suspicious, tested", [brought])


def chosen(tracker: Tracker, request: Request) -> list[str]:
    """Return the ids of the submissions that an address names: the base, then the others.

    Raises InputError where one is named twice, or too many, and what resolving them raises.
    """
    more = [name for name in request.get("other", "").split("\n") if name]
    names = [request.get("base", ""), request.get("new", ""), *more]
    base, *others = dict.fromkeys(tracker.resolve(name) for name in names)
    if not others:
        raise InputError(f"{base} is not compared with itself", hint="choose another")
    if len(others) >= MOST:
        raise InputError(f"{len(others) + 1} submissions are too many", hint=f"at most {MOST}")
    return [base, *others]


def tested(tracker: Tracker, request: Request) -> Page:
    """Return what changed from one submission to another, or how several rank, all tested."""
    base, *others = chosen(tracker, request)
    page = (
        _ranking(tracker, [*others, base]) if len(others) > 1 else _pair(tracker, others[0], base)
    )
    above = address("/compare", new=others[0], base=base, other=others[1:])
    return replace(page, trail=[*page.trail, Span("Comparison", address=above)])


def _ranking(tracker: Tracker, submissions: Sequence[str]) -> Page:
    document = ranking_document(rankings(tracker.database, submissions, Settings(force=True)))
    return Page(
        document, [Span(name, address=address("/submission", name)) for name in submissions]
    )


def _pair(tracker: Tracker, new: str, base: str) -> Page:
    try:
        comparison = tracker.compare(new, base)
    except IncomparableError:
        comparison = tracker.compare(new, base, force=True)
    document = comparison_document(comparison)
    about = {"submission_id": new, "treebank_id": comparison.new.treebank_id}
    changed = {"gained": comparison.gained, "lost": comparison.lost}
    among = {"base": base, "metric": comparison.settings.sentence_metric}
    shown = [
        replace(
            section,
            blocks=_with_links(
                section,
                {**about, "among": {**among, "change": section.anchor}},
                changed.get(section.anchor, ()),
            ),
        )
        for section in document.sections
    ]
    trail = [Span(name, address=address("/submission", name)) for name in (new, base)]
    return Page(replace(document, sections=shown), trail)


def _with_links(
    section: Section, about: Mapping[str, Any], changed: Sequence[SentenceChange]
) -> Sequence[Block]:
    """Return what a section shows, its relations, patterns and sentences leading to their pages."""
    if changed:
        return [
            title_leads(card, change.sentence_no, about)
            for card, change in zip(section.blocks, changed, strict=True)
        ]
    return [_table_with_links(block, about) for block in section.blocks]


def _table_with_links(block: Block, about: Mapping[str, Any]) -> Block:
    if isinstance(block, Table) and block.columns[0].name in ("relation", "pattern"):
        column = {"relation": "deprel", "pattern": "pattern"}[block.columns[0].name]
        return first_leads(block, column, about)
    return block
