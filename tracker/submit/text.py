"""What submitting outputs came to, as one screenful of text."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from sr_tracker.queries.change.comparison.model import Change, Comparison, ranked
from sr_tracker.queries.change.comparison.patterns import ranked_patterns
from sr_tracker.queries.change.comparison.points import unit
from sr_tracker.queries.metrics.registry import notes
from sr_tracker.tracker.console import Console
from sr_tracker.tracker.show.findings.headline import facts, headline, names
from sr_tracker.tracker.show.numbers import measured, probability
from sr_tracker.tracker.show.terminal import visible
from sr_tracker.tracker.submit.model import SubmitReport

METRICS, RELATIONS, PATTERNS = 10, 5, 3
LEGEND = "▲ better, ▼ worse by more than chance (Holm); scores of 0 to 1 in points, hundredths"
WIDTH = 100
"""Columns of text that is not for a terminal."""


def report_text(report: SubmitReport) -> str:
    """Return a report as plain text."""
    text = io.StringIO()
    console = Console(file=text, width=WIDTH, force_terminal=False, color_system=None)
    print_report(console, report)
    return "\n".join(line.rstrip() for line in text.getvalue().rstrip().split("\n"))


def print_report(console: Console, report: SubmitReport) -> None:
    """Print what changed: overall, then the relations and the patterns that moved most."""
    state = "submitted" if report.new else "nothing new, loaded before"
    given = f"{report.sentences - report.missing:,} of {report.sentences:,} sentences"
    head = Text.assemble((visible(report.submission_id), "bold"), f": {state}, {given}")
    head.append(f", compared with the reference {report.reference_form}", style="dim")
    console.print(head, highlight=False)
    if report.comparison is None:
        _print_scores(console, report)
    else:
        _print_changes(console, report.comparison)
    for note in report.notes:
        _say(console, f"note: {visible(note)}", "yellow")


def _print_scores(console: Console, report: SubmitReport) -> None:
    told = [
        f"{metric} {measured(metric, value)}" + (" bits" if unit(metric) == "bits" else "")
        for metric, value in report.scores.items()
    ]
    _say(console, " · ".join(told) or "no scores", "bold")
    _say(console, " · ".join(notes(report.scores)), "dim")


def _print_changes(console: Console, comparison: Comparison) -> None:
    alpha = comparison.settings.alpha
    _, base = names(comparison.new, comparison.base)
    _say(console, visible(f"against {base}: {facts(comparison)}"), "dim")
    for objection in comparison.objections:
        _say(console, f"forced, though not comparable: {visible(objection)}", "bold red")
    for sentence in headline(comparison):
        _say(console, visible(sentence), "bold")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", overflow="ellipsis", no_wrap=True)
    for heading in ("before", "now", "change", "interval", "p", ""):
        table.add_column(heading, justify="right", no_wrap=True)
    _add(table, comparison.metrics[:METRICS], alpha)
    _add(table, ranked(comparison.relations, alpha)[:RELATIONS], alpha)
    for worse in (True, False):
        _add(table, ranked_patterns(comparison.patterns, alpha, worse=worse)[:PATTERNS], alpha)
    if table.row_count:
        console.print(table)
        _say(console, LEGEND, "dim")
        _say(console, " · ".join(notes(change.measure for change in comparison.metrics)), "dim")


def _add(table: Table, changes: Sequence[Change], alpha: float) -> None:
    """Add changes to the table as a section of its own."""
    for change in changes:
        significant = change.is_significant(alpha)
        mark, style = "", ""
        if significant:
            mark, style = ("▼", "red") if change.is_worse else ("▲", "green")
        difference = measured(change.measure, change.difference, sign=True)
        table.add_row(
            Text(visible(change.measure)),
            measured(change.measure, change.base),
            measured(change.measure, change.new),
            Text(difference, style=style),
            _interval(change),
            probability(change.p_holm),
            Text(mark, style=style),
        )
    if changes:
        table.add_section()


def _interval(change: Change) -> str:
    if change.low is None or change.high is None:
        return ""
    low, high = (measured(change.measure, end, sign=True) for end in (change.low, change.high))
    return f"[{low}, {high}]"


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(Text(text, style=style), highlight=False)
