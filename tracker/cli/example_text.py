"""Examples as text for a terminal or a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sr_tracker.queries.errors.example_reading import Example, Word
from sr_tracker.queries.errors.examples import Examples
from sr_tracker.queries.errors.word_difference import Piece
from sr_tracker.tracker.console import Console
from sr_tracker.tracker.show.terminal import print_cut, print_line, visible
from sr_tracker.tracker.show.tree_text import Row, draw_tree, folded

FOLDED_BEYOND = 20
_RULE_WIDTH = 100
_INDENT = 2
_LISTED_WORDS = 15
_WIDE_STEP, _NARROW_STEP = 3, 2
_SHOWN_SCORES = ("bleu", "dea")
_ONLY_REFERENCE, _ONLY_OUTPUT, _MOVED = "bold red", "bold green", "cyan"

LEGEND = "(◆ pattern · ✓ edge to the head realised, ✗ not · +n words below, drawn with --whole)"
COLOURS = "(red only in the reference · green only in the output · cyan moved)"


def print_examples(console: Console, found: Examples, *, whole: bool) -> None:
    """Print examples with their trees; ``whole`` draws long trees whole.

    Without colour, the words that differ are listed below the texts.
    """
    print_line(console, _heading(found))
    for rank, example in enumerate(found.examples, start=1):
        print_line(console, Text())
        print_cut(console, _rule(console, found, example, rank))
        _print_texts(console, found, example)
        print_line(console, Text())
        for line in _tree(example, found, console.width, whole=whole):
            print_cut(console, line)


def _heading(found: Examples) -> Text:
    heading = Text()
    if found.pattern is not None:
        heading.append(visible(found.pattern), style="bold yellow")
        heading.append(f" · {found.labels} · ", style="dim")
    heading.append(visible(found.submission_id), style="bold")
    facts = []
    if found.pattern is not None:
        facts.append(f"{found.sentences:,} of {found.treebank_sentences:,} sentences")
    if found.mean is not None and found.mean_elsewhere is not None:
        facts.append(f"mean {found.metric} {found.mean:.3f}, {found.mean_elsewhere:.3f} elsewhere")
    elif found.mean is not None:
        facts.append(f"mean {found.metric} {found.mean:.3f}")
    if facts:
        heading.append("\n" + " · ".join(facts))
    if found.suspicion is not None:
        mined = found.suspicion
        heading.append(
            f"\nsuspicion {mined.suspicion:.2f} · {_percent(mined.failure_rate)} of them failed, "
            f"{_percent(mined.base_rate)} of all · p {mined.p_holm:.2g} (corrected)"
        )
    return heading


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _rule(console: Console, found: Examples, example: Example, rank: int) -> Text:
    rule = Text("── ")
    if not found.single:
        rule.append(f"{found.order} {rank} of {found.sentences:,} · ")
    rule.append(f"sentence {example.sentence_no}", style="bold")
    rule.append(f" · {visible(example.sent_id)} " if example.sent_id else " ")
    rule.append("─" * max(0, min(console.width, _RULE_WIDTH) - rule.cell_len), style="dim")
    rule.stylize("dim", 0, 3)
    return rule


def _print_texts(console: Console, found: Examples, example: Example) -> None:
    rows = [
        ("scores", _scores(found, example)),
        ("reference", _text(example.reference, example.reference_pieces, _ONLY_REFERENCE)),
        ("output", _text(example.output, example.output_pieces, _ONLY_OUTPUT)),
    ]
    if console.color_system is None or console.no_color:
        rows += _listed_differences(example)
    if not console.is_terminal:
        for name, text in rows:
            print_line(console, Text.assemble(" " * _INDENT, f"{name:<11}", text))
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in rows:
        table.add_row(name, text)
    console.print(Padding(table, (0, 0, 0, _INDENT)))


def _scores(found: Examples, example: Example) -> Text:
    human = [name for name in example.scores if name.endswith("_z")]
    names = dict.fromkeys([found.metric, *_SHOWN_SCORES, *human])
    line = Text()
    for name in names:
        if name not in example.scores:
            continue
        score = example.scores[name]
        line.append("   " if line else "")
        line.append(f"{name} ", style="dim")
        style = "bold" if name == found.metric else ""
        line.append("undefined" if score is None else f"{score:.3f}", style=style)
    return line


def _text(text: str | None, pieces: Sequence[Piece], only: str) -> Text:
    if text is None:
        return Text("none", style="dim italic")
    styles = {"same": "", "moved": _MOVED, "only": only}
    line = Text()
    for piece in pieces:
        line.append(visible(piece.before))
        line.append(visible(piece.word), style=styles[piece.kind])
    return line


def _listed_differences(example: Example) -> list[tuple[str, Text]]:
    """Return the words that colour would tell."""
    if example.reference is None or example.output is None:
        return []
    listed = [
        ("missing", [p.word for p in example.reference_pieces if p.kind == "only"]),
        ("extra", [p.word for p in example.output_pieces if p.kind == "only"]),
        ("moved", [p.word for p in example.output_pieces if p.kind == "moved"]),
    ]
    return [(name, Text(visible(_shortened(words)))) for name, words in listed if words]


def _shortened(words: Sequence[str]) -> str:
    more = len(words) - _LISTED_WORDS
    return " ".join(words[:_LISTED_WORDS]) + (f" … and {more} more" if more > 0 else "")


def _tree(example: Example, found: Examples, width: int, *, whole: bool) -> Iterator[Text]:
    """Yield the lines of the tree: a word, whether its edge is found, its annotation."""
    heads = {word.token_no: word.head for word in example.words}
    hidden = dict.fromkeys(heads, 0)
    if not whole and example.matches and len(heads) > FOLDED_BEYOND:
        heads, hidden = folded(heads, example.matched)
    words = [word for word in example.words if word.token_no in heads]
    tops = {match.top for match in example.matches}
    edges = example.matched if tops == example.matched else _inner(example)
    annotations = _annotations(words, found.labels or "")
    room = width - max((cell_len(a) for a in annotations), default=0) - 4 - _INDENT
    for step in (_WIDE_STEP, _NARROW_STEP):
        rows = draw_tree(heads, marked=edges, step=step)
        drawn = [
            _word(row, word, hidden[word.token_no], matched=word.token_no in example.matched)
            for row, word in zip(rows, words, strict=True)
        ]
        if max((line.cell_len for line in drawn), default=0) <= room:
            break
    column = min(max((line.cell_len for line in drawn), default=0), max(room, 0))
    for line, word, annotation in zip(drawn, words, annotations, strict=True):
        matched = word.token_no in example.matched
        line.append(" " * max(0, column - line.cell_len) + "  ")
        line.append(*_realised(word, matched=matched))
        line.append(f" {annotation}", style="" if matched else "dim")
        yield line


def _inner(example: Example) -> set[int]:
    """Return the dependents of the edges within the matches."""
    return {t for match in example.matches for t in match.tokens if t != match.top}


def _word(row: Row, word: Word, hidden: int, *, matched: bool) -> Text:
    """Return the drawing up to a word and the word."""
    line = Text(" " * _INDENT)
    line.append("◆ " if matched else "  ", style="bold yellow")
    runs = groupby(zip(row.cells, row.marked, strict=True), key=itemgetter(1))
    for marked, run in runs:
        line.append("".join(cell for cell, _ in run), style="yellow" if marked else "dim")
    form = word.form or word.lemma or "_"
    line.append(" ")
    line.append(visible(form), style="bold yellow" if matched else "")
    line.append(f" +{hidden}" if hidden else "", style="dim")
    return line


def _realised(word: Word, *, matched: bool) -> tuple[str, str]:
    if word.found is None:
        return " ", ""
    weight = "bold" if matched else "dim"
    return ("✓", f"{weight} green") if word.found else ("✗", f"{weight} red")


def _annotations(words: Sequence[Word], labels: str) -> list[str]:
    """Return relation and part of speech of each word, and what else the labels are made of."""
    rows = [[word.deprel, word.upos] for word in words]
    for row, word in zip(rows, words, strict=True):
        if "xpos" in labels.split("~"):
            row.append(word.xpos)
        if "lemma" in labels.split("~"):
            row.append((word.lemma or word.form or "_").lower())
    columns = [[visible(value or "_") for value in column] for column in zip(*rows, strict=True)]
    padded = [_padded(column) for column in columns]
    return ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]


def _padded(column: Sequence[str]) -> list[str]:
    width = max(map(cell_len, column))
    return [value + " " * (width - cell_len(value)) for value in column]
