"""A comparison of two submissions as text for a terminal or a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from sr_tracker.queries.change.comparison.model import Change, Comparison, PatternChange, ranked
from sr_tracker.queries.change.comparison.patterns import ranked_patterns
from sr_tracker.queries.metrics.registry import notes, parts_by_kind
from sr_tracker.tracker.cli.comparison_sentences import (
    LEGEND_COLOURS,
    LEGEND_MARKS,
    is_coloured,
    print_sentences,
)
from sr_tracker.tracker.console import Console
from sr_tracker.tracker.show.comparison.edge_tree import LEGEND as TREE_LEGEND
from sr_tracker.tracker.show.comparison.headline import (
    difference_in_table,
    facts,
    headline,
    names,
    value_text,
)
from sr_tracker.tracker.show.report.cells import probability
from sr_tracker.tracker.show.terminal import visible

LEGEND = (
    "(▲ better, ▼ worse by more than chance, p after Holm's correction · scores of 0 to 1 in "
    "points, hundredths · brackets: interval of the change)"
)
_MARKS = {None: Text(""), False: Text("▲", style="bold green"), True: Text("▼", style="bold red")}


def print_comparison(console: Console, comparison: Comparison, *, top: int, trees: bool) -> None:
    """Print what changed, section by section.

    ``top`` limits the patterns, and the relations that did not change by more than chance;
    ``trees`` draws the references' trees with what became of each edge.
    """
    _print_head(console, comparison)
    _print_metrics(console, comparison)
    _print_relations(console, comparison, top)
    _print_parts(console, comparison, top)
    _print_patterns(console, comparison, top)
    _print_buckets(console, comparison)
    print_sentences(console, comparison, trees=trees)
    for note in comparison.notes:
        _say(console, f"\n({visible(note)})", "dim")


def legend(comparison: Comparison, *, trees: bool) -> Callable[[Console], list[str]]:
    """Return what tells, for a console, the lines that explain colours and marks."""

    def lines(console: Console) -> list[str]:
        said = notes(change.measure for change in comparison.metrics)
        found = [LEGEND, *([f"({' · '.join(said)})"] if said else [])]
        if comparison.gained or comparison.lost:
            found.append(LEGEND_COLOURS if is_coloured(console) else LEGEND_MARKS)
            found += [f"({TREE_LEGEND})"] if trees else []
        return found

    return lines


def _print_head(console: Console, comparison: Comparison) -> None:
    new, base = map(visible, names(comparison.new, comparison.base))
    title = Text.assemble((new, "bold"), " against ", (base, "bold"))
    title.append(f"   differences are {new} − {base}", style="dim")
    console.print(title, highlight=False)
    _say(console, visible(facts(comparison)), "dim")
    for objection in comparison.objections:
        _say(console, f"forced, though not comparable: {visible(objection)}", "bold red")
    console.print()
    for sentence in headline(comparison):
        _say(console, visible(sentence), "bold")


def _print_metrics(console: Console, comparison: Comparison) -> None:
    if comparison.metrics:
        table = _table(comparison, "metric", "sentences")
        for change in comparison.metrics:
            table.add_row(change.measure, *_numbers(change, comparison))
        _section(console, "Metrics", table, comparison.metrics)


def _print_relations(console: Console, comparison: Comparison, top: int) -> None:
    alpha = comparison.settings.alpha
    changes = ranked(comparison.relations, alpha)
    if not changes:
        return
    significant = sum(change.is_significant(alpha) for change in changes)
    shown = changes[: max(significant, top)]
    table = _table(comparison, "relation", "edges", more=("won", "lost"))
    for change in shown:
        moved = [f"{number:,}" for number in (change.gained, change.lost)]
        table.add_row(visible(change.deprel), *_numbers(change, comparison, more=moved))
    _section(console, "Edges found, by dependency relation", table, changes)
    _tell_more(console, len(changes) - len(shown), "relations, without a significant change")


def _print_parts(console: Console, comparison: Comparison, top: int) -> None:
    alpha = comparison.settings.alpha
    for kind, (_, part) in parts_by_kind().items():
        changes = ranked([change for change in comparison.parts if change.kind == kind], alpha)
        significant = sum(change.is_significant(alpha) for change in changes)
        shown = changes[: max(significant, top)]
        if shown:
            table = _table(comparison, kind, "sentences")
            for change in shown:
                table.add_row(Text(visible(change.measure)), *_numbers(change, comparison))
            _section(console, part.title, table, changes)
            _tell_more(console, len(changes) - len(shown), "rows, without a significant change")


def _print_patterns(console: Console, comparison: Comparison, top: int) -> None:
    for worse in (True, False):
        changes = ranked_patterns(comparison.patterns, comparison.settings.alpha, worse=worse)
        word = "more" if worse else "less"
        if changes:
            title = f"Patterns that became {word} suspicious"
            _section(console, title, _pattern_table(comparison, changes[:top]), changes)
            _tell_more(console, len(changes) - top, "patterns")
        elif comparison.patterns:
            _say(console, f"\nNo pattern became clearly {word} suspicious.", "bold")


def _pattern_table(comparison: Comparison, changes: Sequence[PatternChange]) -> Table:
    table = _empty_table()
    table.add_column("pattern", overflow="fold")
    table.add_column("labels", no_wrap=True, style="dim")
    for name in ("sentences failed", "of", "suspicion", "p", ""):
        table.add_column(name, justify="right", no_wrap=True)
    for change in changes:
        table.add_row(
            Text(visible(change.pattern)),
            change.labels,
            f"{change.failed_base:,} → {change.failed_new:,}",
            f"{change.sentences:,}",
            f"{change.base:.2f} → {change.new:.2f}",
            probability(change.p_holm),
            _mark(change, comparison),
        )
    return table


def _print_buckets(console: Console, comparison: Comparison) -> None:
    if not comparison.buckets:
        return
    table = _table(comparison, "sentences", "n", more=("metric",))
    for number, change in enumerate(comparison.buckets):
        if number and change.feature != comparison.buckets[number - 1].feature:
            table.add_section()
        numbers = _numbers(change, comparison, more=[change.measure])
        table.add_row(visible(change.bucket), *numbers)
    _section(console, "Simple and complex sentences", table, comparison.buckets)


def _table(comparison: Comparison, name: str, count: str, more: Sequence[str] = ()) -> Table:
    """Return a table of changes without rows; ``more`` are columns behind the count."""
    new, base = map(visible, names(comparison.new, comparison.base))
    table = _empty_table()
    table.add_column(name, no_wrap=True)
    for heading in (count, *more):
        table.add_column(heading, justify="right", no_wrap=True, style="dim")
    for heading in (base, new):
        table.add_column(heading, justify="right", overflow="fold")
    for heading in ("change", "interval", "p", ""):
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _empty_table() -> Table:
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))


def _numbers(change: Change, comparison: Comparison, more: Sequence[str] = ()) -> list[str | Text]:
    """Return the cells of a change, from its count to its mark."""
    return [
        f"{change.n:,}",
        *more,
        value_text(change.measure, change.base),
        value_text(change.measure, change.new),
        _difference(change, comparison),
        _interval(change),
        probability(change.p_holm),
        _mark(change, comparison),
    ]


def _difference(change: Change, comparison: Comparison) -> Text:
    style = ""
    if change.is_significant(comparison.settings.alpha):
        style = "red" if change.is_worse else "green"
    return Text(difference_in_table(change), style=style)


def _interval(change: Change) -> str:
    if change.low is None or change.high is None:
        return "–"
    low, high = (value_text(change.measure, end, sign=True) for end in (change.low, change.high))
    return f"[{low}, {high}]"


def _mark(change: Change, comparison: Comparison) -> Text:
    significant = change.is_significant(comparison.settings.alpha)
    return _MARKS[change.is_worse if significant else None]


def _section(console: Console, title: str, table: Table, changes: Sequence[Change]) -> None:
    tests = dict.fromkeys(change.test for change in changes if change.test)
    _say(console, f"\n{title}", "bold")
    if tests:
        _say(console, f"p: {'; '.join(tests)}", "dim")
    console.print(table)
    reasons = dict.fromkeys(c.undefined_reason for c in changes if c.undefined_reason)
    for reason in reasons:
        undefined = [c.measure for c in changes if c.undefined_reason == reason]
        _say(console, visible(f"({reason}: {', '.join(undefined)})"), "dim")


def _tell_more(console: Console, number: int, what: str) -> None:
    if number > 0:
        _say(console, f"({number:,} more {what})", "dim")


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(Text(text, style=style), highlight=False)
