"""Several submissions side by side as a document: who is better than whom, and the clusters."""

from __future__ import annotations

from ....queries.change.comparison.model import Settings
from ....queries.change.comparison.ranking import Ranked, Ranking, Rankings
from ....queries.change.comparison.verdict import short_names
from ....queries.metrics.registry import label_of, notes
from ....queries.metrics.registry import unit_of as unit
from ....queries.numbers import UNDEFINED, interval, measured
from ....schema.brief import plural
from ..model import Cell, Column, Document, Section, Tone
from ..tables import filled

BETTER, WORSE, EVEN, UNKNOWN = "▲", "▼", "=", "?"
LEGEND = (
    "▲ better, ▼ worse by more than chance than the one of that number, = no more than chance · "
    "a cluster starts where one is worse by more than chance than all above"
)
NAMED = 4
"""Submissions that a title names."""
_TONES: dict[str, Tone] = {BETTER: "better", WORSE: "worse"}


def ranking_document(result: Rankings) -> Document:
    """Return a table of each metric, best first."""
    rankings, settings = result.rankings, result.settings
    names = short_names([item.side for item in rankings[0].ranked])
    objections = dict.fromkeys(
        objection for ranking in rankings for objection in ranking.objections
    )
    return Document(
        "Comparison",
        " · ".join(names) if len(names) <= NAMED else plural(len(names), "submission"),
        [_section(ranking, settings) for ranking in rankings],
        verdict=[summary(ranking) for ranking in rankings],
        objections=[*objections],
        legend=[LEGEND, *notes(ranking.metric for ranking in rankings)],
        provenance=[
            (label_of(ranking.metric), f"{ranking.replicates:,} replicates, seed {settings.seed}")
            for ranking in rankings
        ],
    )


def _section(ranking: Ranking, settings: Settings) -> Section:
    treebanks = dict.fromkeys(item.side.treebank_id for item in ranking.ranked)
    facts = (
        f"{', '.join(treebanks)} · {plural(ranking.sentences, 'sentence')} · "
        f"{unit(ranking.metric)} · "
        f"{ranking.test}, significant: p below {settings.alpha:g} after Holm's correction"
    )
    names = short_names([item.side for item in ranking.ranked])
    label = label_of(ranking.metric)
    columns = [
        Column("#"),
        Column("submission", "text"),
        Column("cluster"),
        Column(label),
        Column("interval", "text"),
        *(Column(str(place), "text", name) for place, name in enumerate(names, start=1)),
    ]
    rows = zip(names, ranking.ranked, marks(ranking, settings.alpha), strict=True)
    cells = [
        [
            Cell(str(place), place, "muted"),
            Cell(name, title=item.side.submission_id),
            *_scores(ranking.metric, item),
            *(Cell(mark, tone=_TONES.get(mark, "muted")) for mark in row),
        ]
        for place, (name, item, row) in enumerate(rows, start=1)
    ]
    clusters = [item.cluster for item in ranking.ranked]
    table = filled(f"Ranking by {label}", columns, cells, groups=clusters)
    return Section(ranking.metric, label, label, facts, [table])


def _scores(metric: str, item: Ranked) -> list[Cell]:
    return [
        Cell(UNDEFINED if item.cluster is None else str(item.cluster), item.cluster),
        Cell(measured(metric, item.score), item.score),
        Cell(interval(metric, item.low, item.high), item.score),
    ]


def marks(ranking: Ranking, alpha: float) -> list[list[str]]:
    """Return for each submission, best first, how it stands to each, in the same order.

    ▲ better and ▼ worse by more than chance, = no more than chance, ? not tested, nothing for
    itself.
    """
    place = {item.side.submission_id: n for n, item in enumerate(ranking.ranked)}
    square = [[UNKNOWN] * len(place) for _ in place]
    for number in place.values():
        square[number][number] = ""
    for pair in ranking.pairs:
        one, other = place[pair.submission_id], place[pair.other_submission_id]
        if pair.p_holm is None or pair.difference is None:
            continue
        if not pair.is_significant(alpha):
            square[one][other] = square[other][one] = EVEN
        else:
            square[one][other], square[other][one] = BETTER, WORSE
    return square


def summary(ranking: Ranking) -> str:
    """Return in a sentence who is at the top, and whether more than by chance."""
    names = short_names([item.side for item in ranking.ranked])
    first = [
        name
        for name, item in zip(names, ranking.ranked, strict=True)
        if item.cluster is not None and item.cluster == 1
    ]
    label = label_of(ranking.metric)
    if not first:
        return f"None has a score by {label}."
    clusters = len({item.cluster for item in ranking.ranked if item.cluster is not None})
    if clusters == 1:
        return f"By {label} all are one cluster: none is clearly worse than all above it."
    who = f"{first[0]} is" if len(first) == 1 else f"{', '.join(first)} are"
    return f"By {label} {who} best; there are {clusters} clusters."
