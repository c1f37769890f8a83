"""Text on a terminal: safe, and wrapped or cut only where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_CONTROLS = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421, 9: 0x20, 10: 0x20}
_CONTROLS |= dict.fromkeys(
    [*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], 0xFFFD
)


def visible(text: str) -> str:
    """Return text with its control characters shown: they could steer or scramble the terminal."""
    return text.translate(_CONTROLS)


def print_line(console: Console, text: Text) -> None:
    """Print a line, wrapped on a terminal alone."""
    text.rstrip()
    console.print(text, soft_wrap=not console.is_terminal, highlight=False)


def print_cut(console: Console, text: Text) -> None:
    """Print a line that must not be wrapped: on a terminal it is cut, with an ellipsis."""
    text.rstrip()
    whole = not console.is_terminal
    console.print(text, soft_wrap=whole, no_wrap=True, overflow=None if whole else "ellipsis")
