"""Explained outputs as text for a terminal or a file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.table import Table
from rich.text import Text

from sr_tracker.queries.meaning.explained import Explained, Explanations, Side
from sr_tracker.queries.meaning.layout import Line
from sr_tracker.tracker.console import Console
from sr_tracker.tracker.show.terminal import print_cut, print_line, visible

LEGEND = "(- missing in the output · + only in the output · ~ changed · graphs in PENMAN notation)"
MARKS = {"missing": "-", "extra": "+", "changed": "~"}
STYLES = {"missing": "bold red", "extra": "bold green", "changed": "bold yellow"}
_RULE_WIDTH = 100
_INDENT = 2
_GAP = 3


def print_explanations(console: Console, found: Explanations) -> None:
    """Print the reference, the outputs and their graphs, one sentence after the other.

    Gold graph and output's graph stand beside each other where both fit, else below each other.
    """
    print_line(console, _heading(found))
    if not found.explained:
        print_line(console, Text("No output is like that.", style="dim"))
    for explained in found.explained:
        _print_sentence(console, explained)


def columns(side: Side, width: int) -> list[Text]:
    """Return the lines of both graphs, beside each other where ``width`` allows, else below."""
    gold, ours = _graph(side.gold_lines), _graph(side.lines)
    heads = Text("  gold graph", style="dim"), Text("  graph of the output", style="dim")
    left = max(line.cell_len for line in [heads[0], *gold]) + _GAP
    right = max(line.cell_len for line in [heads[1], *ours])
    if left + right > width:
        return [heads[0], *gold, Text(), heads[1], *ours]
    lines = []
    for one, two in zip_longest([heads[0], *gold], [heads[1], *ours], fillvalue=Text()):
        line = one.copy()
        line.append(" " * (left - one.cell_len))
        line.append_text(two)
        lines.append(line)
    return lines


def _graph(lines: Sequence[Line]) -> list[Text]:
    """Return the lines of a graph, each behind its mark."""
    found = []
    for line in lines:
        kind = line.kind or ""
        text = Text.assemble((f"{MARKS.get(kind, ' ')} ", STYLES.get(kind, "")))
        for piece in line.pieces:
            text.append(visible(piece.text), style=STYLES.get(piece.kind or "", ""))
        found.append(text)
    return found


def _heading(found: Explanations) -> Text:
    names = " against ".join(visible(name) for name in found.submissions)
    way = f"parser {found.parser} · top: {found.top}, {found.mode} alignment"
    if found.model:
        way += f" · form by {found.model}"
    if found.named:
        order = f"{len(found.explained):,} of {found.sentences:,} sentences"
    elif len(found.submissions) > 1:
        order = f"largest difference in F1 of {found.sentences:,} sentences"
    else:
        order = f"lowest F1 of {found.sentences:,} outputs"
    if found.by == "form" and not found.named:
        order += " whose form differs" if len(found.submissions) > 1 else ", not acceptable in form"
    if found.without_graph:
        order += f" · {found.without_graph:,} without a graph"
    return Text.assemble((names, "bold"), (f"\n{visible(way)}\n{order}", "dim"))


def _print_sentence(console: Console, explained: Explained) -> None:
    title = Text.assemble(
        ("── ", "dim"), (visible(explained.sent_id or str(explained.sentence_no)), "bold"), " "
    )
    title.append("─" * max(0, min(console.width, _RULE_WIDTH) - title.cell_len), style="dim")
    print_line(console, Text())
    print_cut(console, title)
    reference = "(hidden)" if explained.reference is None else explained.reference
    _print_grid(console, [("reference", Text(visible(reference)))])
    for side in explained.sides:
        _print_side(console, side, named=len(explained.sides) > 1)


def _print_side(console: Console, side: Side, *, named: bool) -> None:
    rows = [
        ("output", Text(visible(side.output or "(none)"))),
        ("scores", _scores(side)),
        ("meaning", Text(visible(side.summary))),
    ]
    if side.flag and side.lines:
        rows.append(("note", Text(visible(side.flag))))
    if named:
        print_line(console, Text())
        print_line(console, Text(f"{'':{_INDENT}}{visible(side.submission_id)}", style="bold"))
    _print_grid(console, rows)
    if side.unmatched:
        print_line(console, Text())
        for line in columns(side, console.width - _INDENT):
            print_cut(console, Text.assemble(" " * _INDENT, line))
        print_line(console, Text())
    for each in side.unmatched:
        text = each.triple if each.instead is None else f"{each.triple} → {each.instead}"
        line = Text(f"{'':{_INDENT}}{MARKS[each.kind]} {visible(text)}", style=STYLES[each.kind])
        print_cut(console, line)


def _scores(side: Side) -> Text:
    shown = [("F1", side.f1), ("P", side.precision), ("R", side.recall)]
    parts = [f"{name} {'–' if value is None else f'{value:.4f}'}" for name, value in shown]
    if side.accepted is not None:
        parts.append("form acceptable" if side.accepted else "form not acceptable")
    if side.quality is not None:
        parts.append(f"parse quality {side.quality:.2f}")
    if side.status not in ("optimal", "no graph"):
        parts.append(f"alignment not proved: {side.status}")
    return Text(" · ".join(parts))


def _print_grid(console: Console, rows: Sequence[tuple[str, Text]]) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=_INDENT)
    grid.add_column(style="dim", width=9, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in rows:
        grid.add_row("", name, text)
    console.print(grid, highlight=False)
