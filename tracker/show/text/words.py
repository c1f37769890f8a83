"""Texts in pieces for a terminal: colours or, where there are none, marks around words."""

from __future__ import annotations

from rich.text import Text

from ....schema.errors import visible
from ...console import Console
from ..languages import END, ISOLATE, LEFTWARDS, isolated
from ..model import Tone, Words

STYLES: dict[Tone, str] = {
    "": "",
    "muted": "dim",
    "strong": "bold",
    "code": "",
    "better": "green",
    "worse": "red",
    "doubt": "yellow",
    "matched": "bold yellow",
    "missing": "bold red",
    "extra": "bold green",
    "stray": "bold red",
    "moved": "cyan",
    "changed": "bold yellow",
}
MARKS: dict[Tone, tuple[str, str]] = {
    "missing": ("-", "-"),
    "extra": ("+", "+"),
    "stray": ("[", "]"),
    "moved": ("~", "~"),
}


def coloured(console: Console) -> bool:
    """Return whether colours distinguish words."""
    return console.color_system is not None and not console.no_color


def rich_text(words: Words, *, marked: bool, apart: bool = False) -> Text:
    """Return a text with its pieces in colour or, where that is asked for, between marks.

    Where it has letters from right to left it is isolated from what stands beside it; of a drawing
    each piece is, ``apart`` from the others.
    """
    if isinstance(words, str):
        return Text(isolated(visible(words)))
    text = Text()
    for span in words:
        before, after = MARKS.get(span.tone, ("", "")) if marked else ("", "")
        shown = f"{before}{visible(span.text)}{after}"
        text.append(isolated(shown) if apart else shown, style=STYLES[span.tone])
    if not apart and LEFTWARDS.search(text.plain):
        return Text.assemble(ISOLATE, text, END)
    return text
