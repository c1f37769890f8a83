"""The worst grammar rules of a submission as text for a terminal or a file."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.table import Table
from rich.text import Text

from sr_tracker.queries.grammar.examples import BrokenDependency
from sr_tracker.queries.grammar.excerpt import LEFT_OUT, excerpt
from sr_tracker.queries.grammar.violations import (
    KeptRule,
    Violations,
    clash,
    told_examples,
    told_rule,
)
from sr_tracker.tracker.console import Console
from sr_tracker.tracker.show.terminal import print_cut, print_line, visible

_LONGEST_WORD = 30
_RULE_WIDTH = 100
_INDENT = 2
_LINK, _CLASH = "bold yellow", "bold red"

LEGEND = (
    "(satisfied: share of the links a rule applies to that keep it · cost: points, hundredths, "
    "that the score loses by it)"
)


def print_violations(console: Console, found: Violations) -> None:
    """Print a submission's worst rules as a table, then dependencies that break them.

    Without colour, brackets mark the two words of a dependency.
    """
    print_line(console, _heading(found))
    if not found.worst:
        print_line(console, Text("No rule asked for is broken.", style="dim"))
        return
    print_line(console, Text())
    console.print(_table(found.worst))
    if found.wanted > len(found.worst):
        more = found.wanted - len(found.worst)
        print_line(
            console, Text(f"({more} more broken rules: --limit {found.wanted})", style="dim")
        )
    for rule in found.worst:
        if rule.examples:
            _print_rule(console, rule)


def draw_dependency(
    rule: KeptRule, dependency: BrokenDependency, width: int, *, plain: bool
) -> list[Text]:
    """Return the lines of a dependency: an arc from head to dependent, words, values that clash.

    Long sentences are cut around the two words so that no line is wider than ``width``, if both
    words and values fit at all. ``plain`` marks the words by brackets.
    """
    ends = dependency.dependent - 1, dependency.head - 1
    words = [_shortened(visible(form)) for form in dependency.forms]
    if plain:
        words = [f"[{word}]" if n in ends else word for n, word in enumerate(words)]
    widths = [cell_len(word) for word in words]
    values = [visible(value) for value in clash(rule, dependency)]
    room = width
    while True:
        pieces = excerpt(widths, ends, room, gap=1, ellipsis=1)
        lines = _lines(words, pieces, ends, values, visible(rule.deprel))
        excess = max(line.cell_len for line in lines) - width
        if excess <= 0 or room <= 0:
            return lines
        room -= excess


def _lines(
    words: Sequence[str],
    pieces: Sequence[int | None],
    ends: tuple[int, int],
    values: Sequence[str],
    label: str,
) -> list[Text]:
    line = Text()
    starts: dict[int, int] = {}
    for piece in pieces:
        line.append(" " if line else "")
        if piece is None:
            line.append(LEFT_OUT, style="dim")
            continue
        starts[piece] = line.cell_len
        line.append(words[piece], style=_LINK if piece in ends else "")
    dependent, head = ((starts[end], cell_len(words[end])) for end in ends)
    places = _places(dependent, head, [cell_len(value) for value in values])
    margin = max(0, -min(places))
    below = Text()
    for place, value in sorted(zip(places, values, strict=True)):
        if value:
            below.append(" " * (margin + place - below.cell_len))
            below.append(value, style=_CLASH)
    centres = [margin + start + length // 2 for start, length in (dependent, head)]
    lines = [*_arc(label, *centres), Text.assemble(" " * margin, line)]
    return [*lines, below] if below else lines


def _places(dependent: tuple[int, int], head: tuple[int, int], widths: Sequence[int]) -> list[int]:
    """Return where both values stand: in the middle below their words, or apart where too near.

    Words are a start and a width. A place left of the line is below 0.
    """
    places = [
        start + (length - width) // 2 if width else 0
        for (start, length), width in zip((dependent, head), widths, strict=True)
    ]
    if not all(widths):
        return places
    left, right = (0, 1) if dependent < head else (1, 0)
    if places[left] + widths[left] >= places[right]:
        start, length = min(dependent, head)
        places[left] = start + length - widths[left]
        places[right] = max(dependent, head)[0]
    return places


def _arc(label: str, dependent: int, head: int) -> tuple[Text, Text]:
    """Return an arc with its label, and what leads from it down to both words."""
    left, right = sorted((dependent, head))
    inner = right - left - 1
    blank = inner - cell_len(label) - 2
    arc = Text(" " * left)
    if blank >= 2:
        drawn = f"╭{'─' * (blank // 2)} {label} {'─' * (blank - blank // 2)}╮"
    else:
        drawn = f"╭{'─' * inner}╮ {label}"
    arc.append(drawn, style="yellow")
    legs = Text(" " * left)
    legs.append("▼" if dependent == left else "│", style="yellow")
    legs.append(" " * inner)
    legs.append("▼" if dependent == right else "│", style="yellow")
    return arc, legs


def _heading(found: Violations) -> Text:
    heading = Text.assemble(
        (visible(found.submission_id), "bold"), (f" · rules {visible(found.rule_set_id)}", "dim")
    )
    if found.score is None:
        return heading.append("\nno rule applies to any link")
    return heading.append(
        f"\ngrammar {found.score:.4f} · {found.rules_broken:,} of {found.rules:,} rules broken, "
        f"{found.violated:,} times in {found.links:,} links"
    )


def _table(worst: Sequence[KeptRule]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True, show_edge=False)
    referenced = any(rule.reference_satisfied is not None for rule in worst)
    annotated = any(rule.annotation for rule in worst)
    table.add_column("rule", overflow="fold")
    names = ["satisfied", "broken", "of", *(["reference"] if referenced else []), "cost"]
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    if annotated:
        table.add_column("annotation", no_wrap=True)
    for rule in worst:
        row = [
            visible(rule.rule),
            _share(rule.satisfied),
            f"{rule.violated:,}",
            f"{rule.applicable:,}",
            *([_share(rule.reference_satisfied)] if referenced else []),
            "–" if rule.cost is None else f"{100 * rule.cost:.2f}",
            *([rule.annotation or ""] if annotated else []),
        ]
        table.add_row(*map(Text, row))
    return table


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _print_rule(console: Console, rule: KeptRule) -> None:
    title = Text.assemble(("── ", "dim"), (visible(rule.rule), "bold"), " ")
    room = min(console.width, _RULE_WIDTH) - title.cell_len
    title.append("─" * max(0, room), style="dim")
    print_line(console, Text())
    print_cut(console, title)
    said = f"{told_rule(rule)} · {told_examples(rule)}"
    print_line(console, Text(visible(said), style="dim"))
    plain = console.color_system is None or console.no_color
    gutter = max(len(str(dependency.sentence_no)) for dependency in rule.examples) + 2
    for dependency in rule.examples:
        lines = draw_dependency(rule, dependency, console.width - _INDENT - gutter, plain=plain)
        print_line(console, Text())
        for number, line in enumerate(lines):
            name = str(dependency.sentence_no) if number == 2 else ""
            margin = f"{'':{_INDENT}}{name:>{gutter - 2}}  "
            print_cut(console, Text.assemble((margin, "dim"), line))


def _shortened(word: str) -> str:
    if cell_len(word) <= _LONGEST_WORD:
        return word
    return set_cell_size(word, _LONGEST_WORD - 1).rstrip() + LEFT_OUT
