"""The sentences that gained and lost most, as text for a terminal or a file."""

from __future__ import annotations

from collections.abc import Sequence

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sr_tracker.queries.change.comparison.model import Comparison, SentenceChange
from sr_tracker.queries.errors.word_difference import Piece
from sr_tracker.tracker.console import Console
from sr_tracker.tracker.show.comparison.edge_tree import tree_of_changes
from sr_tracker.tracker.show.comparison.headline import names
from sr_tracker.tracker.show.terminal import visible

LEGEND_COLOURS = (
    "(reference: green has its place in the new output alone, red in the old one alone · outputs: "
    "red is not in the reference, cyan stands elsewhere there)"
)
LEGEND_MARKS = (
    "(reference: +word+ has its place in the new output alone, -word- in the old one alone · "
    "outputs: [word] is not in the reference, ~word~ stands elsewhere there)"
)
_STYLES = {"same": "", "moved": "cyan", "only": "bold red", "won": "bold green", "lost": "bold red"}
_MARKS = {"same": "", "moved": "~", "only": "[]", "won": "+", "lost": "-"}
_INDENT = 2


def print_sentences(console: Console, comparison: Comparison, *, trees: bool) -> None:
    """Print both lists; without colour, marks stand around the words that differ."""
    metric = comparison.settings.sentence_metric
    for title, changes in (("gained", comparison.gained), ("lost", comparison.lost)):
        if not changes:
            continue
        console.print(
            Text(f"\nSentences that {title} most (sentence {metric})", style="bold"),
            highlight=False,
        )
        for change in changes:
            _print_sentence(console, comparison, change, trees=trees)


def is_coloured(console: Console) -> bool:
    """Return whether words can be told apart by colour."""
    return console.color_system is not None and not console.no_color


def _print_sentence(
    console: Console, comparison: Comparison, change: SentenceChange, *, trees: bool
) -> None:
    new, base = map(visible, names(comparison.new, comparison.base))
    coloured = is_coloured(console)
    console.print(_heading(change), highlight=False)
    rows = [
        ("reference", _reference(change, coloured=coloured)),
        (base, _output(change.base_output, change.base_pieces, coloured=coloured)),
        (new, _output(change.new_output, change.new_pieces, coloured=coloured)),
    ]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", overflow="fold", max_width=24)
    table.add_column(overflow="fold", ratio=1)
    for name, text in rows:
        table.add_row(name, text)
    console.print(Padding(table, (0, 0, 0, _INDENT)))
    if trees and change.words:
        for line in tree_of_changes(change.words, change.base_found).split("\n"):
            console.print(_tree_line(line), highlight=False, no_wrap=True, overflow="ellipsis")


def _heading(change: SentenceChange) -> Text:
    heading = Text("\n  ")
    if change.base_score is not None and change.new_score is not None:
        heading.append(f"{change.base_score:.2f} → {change.new_score:.2f}", style="bold")
        heading.append(" · ", style="dim")
    heading.append(f"sentence {change.sentence_no}", style="dim")
    if change.sent_id:
        heading.append(f" · {visible(change.sent_id)}", style="dim")
    return heading


def _reference(change: SentenceChange, *, coloured: bool) -> Text:
    if change.reference is None:
        return Text("hidden", style="dim italic")
    line = Text()
    for word in change.reference_words:
        kind = "same"
        if word.in_base != word.in_new:
            kind = "won" if word.in_new else "lost"
        _add(line, word.before, word.word, kind, coloured=coloured)
    return line


def _output(output: str | None, pieces: Sequence[Piece], *, coloured: bool) -> Text:
    if output is None:
        return Text("none", style="dim italic")
    line = Text()
    for piece in pieces:
        _add(line, piece.before, piece.word, piece.kind, coloured=coloured)
    return line


def _add(line: Text, before: str, word: str, kind: str, *, coloured: bool) -> None:
    line.append(visible(before))
    marks = "" if coloured else _MARKS[kind]
    line.append(f"{marks[:1]}{visible(word)}{marks[-1:]}", style=_STYLES[kind] if coloured else "")


def _tree_line(line: str) -> Text:
    text = Text(" " * _INDENT + visible(line), style="dim")
    text.highlight_regex(r"✗→✓", "not dim bold green")
    text.highlight_regex(r"✓→✗", "not dim bold red")
    return text
