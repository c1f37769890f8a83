"""The console that everything is drawn on: text from outside cannot steer the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import IO, Any

import rich.console
from rich.segment import Segment
from rich.text import Text

from ..schema.errors import visible_lines

_ISOLATES = re.compile("([\u2068\u2069])")


class Console(rich.console.Console):  # noqa: TID251
    """A console that shows control characters and takes square brackets for what they are."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    @property
    def file(self) -> IO[str]:
        """The stream behind ``show.terminal.guard_streams``: colours are this console's own."""
        file = super().file
        while hasattr(file, "rich_proxied_file"):
            file = file.rich_proxied_file
        return file

    @file.setter
    def file(self, file: IO[str]) -> None:
        self._file = file

    def render(
        self,
        renderable: rich.console.RenderableType,
        options: rich.console.ConsoleOptions | None = None,
    ) -> Iterable[Segment]:
        """Return the pieces of text to print, made visible, and the console's own controls."""
        for piece in super().render(renderable, options):
            if not piece.control and not piece.text.isprintable():
                # Isolates are our own: what came from outside was made visible before.
                shown = _ISOLATES.split(piece.text)
                shown[::2] = map(visible_lines, shown[::2])
                piece = piece._replace(text="".join(shown))
            yield piece


def print_styled(text: str, style: str, *, stderr: bool = False, rest: str = "") -> None:
    """Print text in a style, and the rest of the line without one."""
    Console(stderr=stderr).print(Text.assemble((text, style), rest), soft_wrap=True)
