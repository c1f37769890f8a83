"""A reference's dependency tree as text, with what became of its edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from sr_tracker.queries.errors.example_reading import Word
from sr_tracker.tracker.show.tree_text import draw_tree, folded

FOLDED_BEYOND = 20
LEGEND = "✓ edge to the head found, ✗ not; ✗→✓ won, ✓→✗ lost; +n words below left out"
_STEP = 2
_MARKS = {True: "✓", False: "✗"}


def tree_of_changes(words: Sequence[Word], found_before: Mapping[int, bool | None]) -> str:
    """Return the tree as text, a word a line: whether base and new have its edge, its relation.

    ``found_before`` tells by token number whether base's output has the edge; ``words`` tell it of
    new's. Of trees beyond 20 words only what is near edges won and lost is drawn.
    """
    heads = {word.token_no: word.head for word in words}
    hidden = dict.fromkeys(heads, 0)
    changed = {
        word.token_no for word in words if word.found != found_before.get(word.token_no, word.found)
    }
    if len(heads) > FOLDED_BEYOND and changed:
        heads, hidden = folded(heads, changed)
    shown = [word for word in words if word.token_no in heads]
    rows = draw_tree(heads, step=_STEP)
    drawn = [
        f"{row.cells} {word.form or word.lemma or '_'}"
        + (f" +{hidden[word.token_no]}" if hidden[word.token_no] else "")
        for row, word in zip(rows, shown, strict=True)
    ]
    width = max(map(cell_len, drawn))
    relations = [word.deprel or "_" for word in shown]
    relation_width = max(map(len, relations))
    lines = [
        f"{line}{' ' * (width - cell_len(line))}  "
        f"{_mark(word.found, found_before.get(word.token_no, word.found)):<3}  "
        f"{relation:<{relation_width}}  {word.upos or '_'}"
        for line, word, relation in zip(drawn, shown, relations, strict=True)
    ]
    return "\n".join(lines)


def _mark(found: bool | None, before: bool | None) -> str:
    """Return what became of an edge."""
    if found is None or before is None:
        return ""
    return _MARKS[found] if found == before else f"{_MARKS[before]}→{_MARKS[found]}"
