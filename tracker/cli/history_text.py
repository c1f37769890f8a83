"""A history as tables and a tree on the terminal."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sr_tracker.queries.change.comparison.model import Change
from sr_tracker.queries.change.comparison.points import points, unit
from sr_tracker.queries.change.history.lineage import Chain, chains
from sr_tracker.queries.change.history.marks import FALL, LEGEND, RISE, change_mark
from sr_tracker.queries.change.history.model import History, Line, Run, Summary
from sr_tracker.queries.metrics.registry import notes
from sr_tracker.tracker.show.sparkline import sparkline

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from sr_tracker.tracker.console import Console

WIDE = 10_000
UNDEFINED = "–"
POINTS = "points"
RELATIONS_NAMED = 12


def written_as_text(format_name: str | None, output: Path | None) -> bool:
    """Return whether a result is to be tables for reading."""
    if format_name is None:
        return output is None or output.suffix == ".txt"
    return format_name == "table"


def print_history(history: History, output: Path | None = None) -> None:
    """Print a history, or write it to a file."""
    from sr_tracker.tracker.console import Console

    console = Console()
    if output is None and console.is_terminal:
        _print(history, console)
        return
    text = io.StringIO()
    _print(history, Console(file=text, width=WIDE, color_system=None))
    lines = "\n".join(line.rstrip() for line in text.getvalue().split("\n"))
    if output is None:
        click.echo(lines, nl=False)
    else:
        from sr_tracker.schema.writing import write_file

        write_file(output, lines.encode())


def _print(history: History, console: Console) -> None:
    from rich.text import Text

    for line in history.lines:
        runs = f"{len(line.runs)} iteration{'s' if len(line.runs) > 1 else ''}"
        title = f"{history.system_id} · {line.campaign_id} · {line.treebank_id} · {line.track}"
        console.print(Text(f"{title} · {runs}", style="bold"))
        summaries = history.summaries(line)
        console.print(_overview(summaries, console.width))
        console.print(_iterations(history, line, console.width))
        console.print(_lineage(line))
        moved = _moved(line)
        if moved is not None:
            console.print(moved)
    console.print(Text(_legend(history), style="dim"))


def _overview(summaries: Sequence[Summary], width: int) -> Table:
    table = _table(
        ("measure", "left"),
        ("first", "right"),
        ("last", "right"),
        ("best", "right"),
        ("at", "right"),
        ("iterations", "left"),
        ("changes", "left"),
        ("significant", "left"),
    )
    for column in table.columns[5:7]:
        column.no_wrap = any(len(summary.values) < width / 4 for summary in summaries)
    for summary in summaries:
        table.add_row(
            _plain(summary.measure.name),
            _value(summary.first),
            _value(summary.last),
            _value(summary.best),
            UNDEFINED if summary.best_iteration is None else f"@{summary.best_iteration}",
            _plain(sparkline(summary.values)),
            _plain(summary.marks),
            _marks(summary.significant),
        )
    return table


def _iterations(history: History, line: Line, width: int) -> Table:
    """Return a row per run; measures that do not fit the width are left out, and named."""
    columns: list[tuple[str, list[Any]]] = [
        ("iteration", [_plain(f"@{run.iteration}") for run in line.runs]),
        ("date", [_plain(f"{run.created_at:%Y-%m-%d}") for run in line.runs]),
        ("after", [_plain(_before(line, run)) for run in line.runs]),
    ]
    if any(run.chosen for run in line.runs):
        columns.append(("changed", [_plain(_chosen(run)) for run in line.runs]))
    measures = [measure for measure in line.measures if measure.kind != "relation"]
    for measure in measures or line.measures:
        cells = [_score(history, run, measure.name) for run in line.runs]
        columns.append((measure.name, cells))
    used = 0
    kept: list[tuple[str, list[Any]]] = []
    for name, cells in columns:
        needed = max(len(name), *(len(cell) for cell in cells)) + 2
        used += min(needed, 40) if name == "changed" else needed
        if used > width and len(kept) > 2:
            left_out = [other for other, _ in columns[len(kept) :]]
            click.echo(f"(not shown for want of width: {', '.join(left_out)})", err=True)
            break
        kept.append((name, cells))
    table = _table(*((name, "left") for name, _ in kept))
    for row in zip(*(cells for _, cells in kept), strict=True):
        table.add_row(*row)
    return table


def _lineage(line: Line) -> RenderableType:
    """Return the runs in one line, or as a tree where they branch."""
    from rich.tree import Tree

    found = chains(line)
    if len(found) == 1 and not found[0].branches:
        return _chain(found[0], line)
    tree = Tree(_plain("runs by parent"), guide_style="dim")
    stack = [(tree, chain) for chain in reversed(found)]
    while stack:
        above, chain = stack.pop()
        node = above.add(_chain(chain, line))
        stack += [(node, branch) for branch in reversed(chain.branches)]
    return tree


def _chain(chain: Chain, line: Line) -> Text:
    told = " → ".join(f"@{run.iteration}" for run in chain.runs)
    if not chain.branches and line.measures:
        name = line.measures[0].name
        told += f"  ({name} {_value(chain.runs[-1].values[name])})"
    return _plain(told)


def _moved(line: Line) -> Table | None:
    """Return which relations moved significantly in which run, None where none did."""
    moving = [run for run in line.runs if run.relations]
    if not moving:
        return None
    table = _table(("iteration", "left"), ("relations that moved significantly", "left"))
    for run in moving:
        told = _plain("")
        for number, change in enumerate(run.relations[:RELATIONS_NAMED]):
            told.append(", " if number else "")
            told.append(f"{change.deprel} {_signed(change)}", style=_colour(change))
        left = len(run.relations) - RELATIONS_NAMED
        told.append(f" and {left} more" if left > 0 else "")
        table.add_row(_plain(f"@{run.iteration}"), told)
    return table


def _legend(history: History) -> str:
    names: dict[str, list[str]] = {}
    for name in dict.fromkeys(measure.name for line in history.lines for measure in line.measures):
        names.setdefault(unit(name), []).append(name)
    others = [
        f"those of {', '.join(of)} in {of_unit}"
        for of_unit, of in names.items()
        if of_unit != POINTS
    ]
    parts = [", ".join(["changes are in points (hundredths)", *others])]
    significantly, *others = LEGEND
    test = f"(p < {history.settings.alpha:g} after Holm's correction within the step)"
    parts += [f"{significantly} {test}", *others]
    if history.tests != "all":
        tested = {"relations": "only relations were tested", "none": "nothing was tested"}
        parts.append(tested[history.tests])
    parts += notes(measure.name for line in history.lines for measure in line.measures)
    return "; ".join(parts)


def _before(line: Line, run: Run) -> str:
    if run.previous_submission_id is None:
        return UNDEFINED
    here = {other.submission_id: other.iteration for other in line.runs}
    known = here.get(run.previous_submission_id)
    return run.previous_submission_id if known is None else f"@{known}"


def _chosen(run: Run) -> str:
    return ", ".join(
        f"{name} {UNDEFINED if before is None else before}→{UNDEFINED if now is None else now}"
        for name, (before, now) in run.chosen.items()
    )


def _score(history: History, run: Run, measure: str) -> Text:
    """Return a value with its change from the run before, marked where that is significant."""
    told = _plain(_value(run.values[measure]))
    change = run.changes.get(measure)
    if change is not None and change.difference is not None:
        significant = change.is_significant(history.settings.alpha)
        mark = change_mark(change, history.settings.alpha)
        told.append(f" {_signed(change)}{mark}", style=_colour(change) if significant else "dim")
    return told


def _marks(significant: Sequence[tuple[Run, Change]]) -> Text:
    told = _plain("")
    for number, (run, change) in enumerate(significant):
        told.append(" " if number else "")
        mark = RISE if (change.difference or 0) > 0 else FALL
        told.append(f"@{run.iteration}{mark}", style=_colour(change))
    return told


def _colour(change: Change) -> str:
    return "red" if change.is_worse else "green"


def _signed(change: Change) -> str:
    if change.difference is None:
        return UNDEFINED
    value = points(change.measure, change.difference)
    text = f"{value:+.2f}"
    return text.replace("-", "−") if text.strip("+-0.") else "0.00"


def _value(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.4f}".replace("-", "−")


def _table(*columns: tuple[str, Any]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, side in columns:
        table.add_column(_plain(name), justify=side, overflow="fold")
    return table


def _plain(text: str) -> Text:
    from rich.text import Text

    return Text(text)
