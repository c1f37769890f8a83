"""The page of two submissions or more: where which of them is better."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...queries.change.comparison.comparability import objections
from ...queries.change.comparison.model import Side
from ...queries.change.comparison.sides import Pairing, read_sides
from ...queries.change.comparison.verdict import short_names
from ...queries.errors.measures import check_metric, sentence_metrics
from ...queries.exploring import Listing, listing
from ...queries.metrics.registry import direction, usual_metrics
from ...schema.brief import plural
from ...schema.errors import InputError
from ..api import Tracker
from ..show.html.scatter import Axes, Range, axes_of, scatter
from ..show.model import (
    Block,
    Brought,
    Card,
    Document,
    Field,
    Figure,
    Form,
    Page,
    Paragraph,
    Section,
    Span,
    Tab,
    Table,
    Tabs,
)
from . import Asked
from .addresses import address
from .lists import listed, named_buckets
from .verdicts import stored_verdict

MOST = 6
"""Submissions that one page compares."""
PATTERNS, SENTENCES, SEEN = 20, 50, 12
WON_LOST = ("lost", "won")
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
    def about(self) -> dict[str, str]:
        return {"submission_id": self.new.submission_id, "treebank_id": self.new.treebank_id}


def chosen(tracker: Tracker, asked: Asked) -> list[str]:
    """Return the ids of the submissions that an address names: the base, then the others.

    Raises InputError where one is named twice, or too many, and what resolving them raises.
    """
    more = [name for name in asked.get("other", "").split("\n") if name]
    names = [asked.get("base", ""), asked.get("new", ""), *more]
    base, *others = dict.fromkeys(tracker.resolve(name) for name in names)
    if not others:
        raise InputError(f"{base} is not compared with itself", hint="choose another")
    if len(others) >= MOST:
        raise InputError(f"{len(others) + 1} submissions are too many", hint=f"at most {MOST}")
    return [base, *others]


def compare(tracker: Tracker, asked: Asked) -> Page:
    """Return on what submissions are better and worse than a base."""
    database = tracker.database
    submissions = chosen(tracker, asked)
    base, *others = read_sides(database, submissions)
    metric = asked.get("metric") or sentence_metrics(database, submissions)[0]
    check_metric(database, metric)
    pairs = [_Pair(side, base, metric) for side in others]
    state = _state(pairs)
    tested = address("/tested", **state)
    told = "Every difference with its test."
    said = stored_verdict(database, others[0].submission_id, base.submission_id)
    stored = [Paragraph(text, "") for text in said] if len(others) == 1 else []
    parts = ".objection, header .figures" if stored else ".objection, .verdict, header .figures"
    verdict: list[Block] = [*stored, Brought(tested, told, parts)]
    scores = listing(
        database,
        "listed_pair_measures",
        submissions=[side.submission_id for side in others],
        base=base.submission_id,
        measures=usual_metrics(),
    )
    objected = dict.fromkeys(
        said
        for side in others
        for said in objections(Pairing(database, side, base), [*usual_metrics()])
    )
    names = short_names([*others, base])
    ranges = asked_range(asked, "a"), asked_range(asked, "b")
    document = Document(
        "Comparison",
        f"{', '.join(names[:-1])} against {names[-1]}",
        [
            Section("verdict", "Verdict", "", blocks=verdict),
            _scores(scores, several=len(others) > 1, objected=[*objected]),
            _sentences(tracker, pairs[0], (names[0], names[-1]), ranges, state),
            *(
                Section(
                    part.anchor,
                    part.name,
                    part.title,
                    part.reading,
                    *_blocks(tracker, part, pairs, names),
                )
                for part in PARTS
            ),
        ],
        lead=f"{base.treebank_id} · differences are from {names[-1]}",
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


def asked_range(asked: Asked, name: str) -> Range | None:
    """Return the range that an address holds, such as 0.2..0.5; either end may be left out."""
    told = asked.get(name, "").strip()
    if not told:
        return None
    found = _RANGE.fullmatch(told)
    try:
        ends = [None if end is None else float(end) for end in found.groups()] if found else []
    except ValueError:
        ends = []
    if not ends:
        raise InputError(f"'{told}' is no range of scores", hint="such as 0.2..0.5, or ..0.5")
    low, high = ends
    return (-math.inf if low is None else low, math.inf if high is None else high)


def _choice(tracker: Tracker, pairs: Sequence[_Pair], scores: Listing) -> Form:
    base, new = pairs[0].base.submission_id, pairs[0].new.submission_id
    found = listing(tracker.database, "listed_siblings", submission=new)
    rows = found.rows["submission_id"].to_pylist()
    ids = [(each, each) for each in dict.fromkeys([new, base, *rows])]
    more = [each for each in ids if each[0] not in (new, base)]
    others = "\n".join(pair.new.submission_id for pair in pairs[1:])
    measures = dict.fromkeys([*scores.rows["measure"].to_pylist(), pairs[0].metric])
    return Form(
        "/compare",
        [
            Field("new", "This", new, [each for each in ids if each[0] != base]),
            Field("base", "against", base, [each for each in ids if each[0] != new]),
            Field("other", "and more beside it", others, more, several=True),
            Field("metric", "sentences by", pairs[0].metric, [(each, each) for each in measures]),
        ],
        "Compare",
    )


def _scores(scores: Listing, *, several: bool, objected: Sequence[str]) -> Section:
    table = listed(scores, "Scores", hidden=() if several else ("submission_id",))
    reading = "Not comparable, and left out where so: " + "; ".join(objected) if objected else ""
    missing = "" if table.lines else "They have no score that was computed alike."
    return Section("scores", "Scores", "Scores", reading, [table], missing)


def _sentences(
    tracker: Tracker,
    pair: _Pair,
    names: tuple[str, str],
    ranges: tuple[Range | None, Range | None],
    state: dict[str, str | list[str]],
) -> Section:
    """Return the scatter of sentences, and the list of those in the brush."""
    of_metric = {**pair.parameters, "metric": pair.metric}
    found = listing(tracker.database, "listed_pair_scores", **of_metric)
    values = [found.rows[name].to_pylist() for name in ("score", "other_score")]
    points = list(zip(*values, strict=True))
    better = direction(pair.metric)
    axes = axes_of(pair.metric, names, [*values[0], *values[1]], better)
    brush = _brush(axes, ranges)
    figure = Figure("sentences", scatter(axes, points, brush), axes.measure, found.query)
    signs = [better * (score - other) for score, other in points]
    won, lost = sum(sign > 0 for sign in signs), sum(sign < 0 for sign in signs)
    reading = (
        f"By {pair.metric} {names[0]} is better on {won:,} and worse on {lost:,} of "
        f"{plural(len(points), 'sentence')}. Draw a box to list what is in it, or give the ranges."
    )
    (low, high), (left, right) = brush or ((axes.low, axes.high), (axes.low, axes.high))
    inside = sum(low <= a <= high and left <= b <= right for a, b in points)
    list_ = listing(
        tracker.database,
        "listed_pair_sentences",
        treebank=pair.new.treebank_id,
        rows=SENTENCES,
        **{"from": low, "to": high, "base_from": left, "base_to": right},
        **of_metric,
    )
    among = {"base": pair.base.submission_id, "change": "most", "metric": pair.metric}
    among |= {"a": _told(ranges[0]), "b": _told(ranges[1])}
    table = listed(
        list_,
        "Sentences",
        about={**pair.about, "among": among},
        bars=("base_score", "score"),
        shown=SEEN,
    )
    form = Form(
        "/compare",
        [
            *(
                Field(name, "", value if isinstance(value, str) else "\n".join(value), several=True)
                for name, value in {**state, "metric": pair.metric}.items()
            ),
            Field("a", f"{pair.metric} of {names[0]}", _told(ranges[0])),
            Field("b", f"{pair.metric} of {names[1]}", _told(ranges[1])),
        ],
        "List",
        brushes="#listed",
    )
    where = "in the box" if brush else "in all"
    first = "the most changed first" if inside <= SENTENCES else f"the {SENTENCES} most changed"
    title = f"{plural(inside, 'sentence')} {where}, {first}"
    return Section(
        "sentences",
        "Sentences",
        "Sentence by sentence",
        reading,
        [
            Card(blocks=[figure, form], framed=False),
            Card(title, blocks=[table], anchor="listed", framed=False),
        ],
        "" if points else f"They have no sentences' scores by {pair.metric} computed alike.",
        beside=True,
    )


def _brush(axes: Axes, ranges: tuple[Range | None, Range | None]) -> tuple[Range, Range] | None:
    """Return the ranges of both scores, where at least one is given."""
    if ranges == (None, None):
        return None
    whole = (axes.low, axes.high)
    first, second = (
        whole if each is None else (max(each[0], axes.low), min(each[1], axes.high))
        for each in ranges
    )
    return first, second


def _told(given: Range | None) -> str:
    if given is None:
        return ""
    return "..".join("" if math.isinf(end) else f"{end:g}" for end in given)


def _relations(tracker: Tracker, pair: _Pair) -> Table:
    treebank = pair.new.treebank_id
    found = listing(tracker.database, "listed_pair_relations", treebank=treebank, **pair.parameters)
    return listed(found, "Relations", about=pair.about, bars=("base_dea", "dea"), sides=WON_LOST)


def _patterns(tracker: Tracker, pair: _Pair) -> Table:
    found = listing(tracker.database, "listed_pair_patterns", rows=PATTERNS, **_of_metric(pair))
    about = {**pair.about, "metric": pair.metric}
    return listed(found, "Patterns", about=about, bars=("base_mean", "mean"), sides=WON_LOST)


def _complexity(tracker: Tracker, pair: _Pair) -> Table:
    found = listing(tracker.database, "listed_pair_buckets", **_of_metric(pair))
    return named_buckets(
        listed(found, "Complexity", bars=("base_mean", "mean"), sides=WON_LOST), found
    )


def _of_metric(pair: _Pair) -> dict[str, str | float]:
    return {
        **pair.parameters,
        "treebank": pair.new.treebank_id,
        "metric": pair.metric,
        "direction": direction(pair.metric),
    }


@dataclass(frozen=True)
class _Part:
    """A table that there is for each pair, and the section it is in."""

    anchor: str
    name: str
    title: str
    reading: str
    missing: str
    made: Callable[[Tracker, _Pair], Table]


PARTS = (
    _Part(
        "relations",
        "Relations",
        "Won and lost, by relation",
        "Edges of the references that one has and the other has not; a relation leads to the "
        "sentences that miss it.",
        "Not both have a dependency edge accuracy that was computed alike.",
        _relations,
    ),
    _Part(
        "patterns",
        "Patterns",
        "Won and lost, by pattern",
        "Sentences with a pattern that is suspicious in either; a pattern leads to them.",
        "No pattern is suspicious in either, or none was mined yet: tracker analyse.",
        _patterns,
    ),
    _Part(
        "complexity",
        "Complexity",
        "Won and lost, by length, depth and projectivity",
        "Sentences in three parts about as large, counted without punctuation.",
        "No sentence has scores of both, or the treebank is not analysed: tracker score.",
        _complexity,
    ),
)


def _blocks(
    tracker: Tracker, part: _Part, pairs: Sequence[_Pair], names: Sequence[str]
) -> tuple[list[Block], str]:
    """Return the table of a pair, or a tab for each of several; and why there is none."""
    tables = [part.made(tracker, pair) for pair in pairs]
    if not any(table.lines for table in tables):
        return [], part.missing
    if len(tables) == 1:
        return [*tables], ""
    tabs = [Tab(name, [table]) for name, table in zip(names[:-1], tables, strict=True)]
    return [Tabs(part.anchor, tabs)], ""
