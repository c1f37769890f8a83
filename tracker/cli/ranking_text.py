"""Several submissions side by side as text for a terminal or a file."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.change.comparison.points import unit
from sr_tracker.queries.change.comparison.ranking import Ranking
from sr_tracker.queries.metrics.registry import notes
from sr_tracker.tracker.console import Console
from sr_tracker.tracker.show.comparison.headline import short_names, value_text
from sr_tracker.tracker.show.comparison.ranking_marks import BETTER, WORSE, marks, summary
from sr_tracker.tracker.show.terminal import visible

LEGEND = (
    "(▲ better, ▼ worse by more than chance than the one of that number, = no more than chance · "
    "a cluster starts where one is worse by more than chance than all above)"
)
_STYLES = {BETTER: "green", WORSE: "red"}


def print_rankings(console: Console, rankings: Sequence[Ranking], settings: Settings) -> None:
    """Print a table of each metric: who is better than whom, and the clusters."""
    for number, ranking in enumerate(rankings):
        if number:
            console.print()
        _print_ranking(console, ranking, settings)


def _print_ranking(console: Console, ranking: Ranking, settings: Settings) -> None:
    treebanks = dict.fromkeys(each.side.treebank_id for each in ranking.ranked)
    console.print(Text(visible(summary(ranking)), style="bold"), highlight=False)
    facts = (
        f"{', '.join(treebanks)} · {ranking.sentences:,} sentences · {unit(ranking.metric)} · "
        f"{ranking.test}, significant: p below {settings.alpha:g} after Holm's correction"
    )
    facts = " · ".join([facts, *notes([ranking.metric])])
    console.print(Text(visible(facts), style="dim"), highlight=False)
    for objection in ranking.objections:
        told = Text(f"forced, though not comparable: {visible(objection)}", style="bold red")
        console.print(told, highlight=False)
    console.print(_table(ranking, settings))


def _table(ranking: Ranking, settings: Settings) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", justify="right", no_wrap=True, style="dim")
    table.add_column("submission", overflow="fold")
    for name in ("cluster", ranking.metric, "interval"):
        table.add_column(name, justify="right", no_wrap=True)
    for number in range(len(ranking.ranked)):
        table.add_column(str(number + 1), justify="center", no_wrap=True)
    names = short_names([each.side for each in ranking.ranked])
    before = None
    for number, (name, each, row) in enumerate(
        zip(names, ranking.ranked, marks(ranking, settings.alpha), strict=True), start=1
    ):
        if before is not None and each.cluster != before:
            table.add_section()
        before = each.cluster
        low, high = (value_text(ranking.metric, end) for end in (each.low, each.high))
        table.add_row(
            str(number),
            visible(name),
            "–" if each.cluster is None else str(each.cluster),
            value_text(ranking.metric, each.score),
            "–" if each.low is None else f"[{low}, {high}]",
            *(Text(mark, style=_STYLES.get(mark, "dim")) for mark in row),
        )
    return table
