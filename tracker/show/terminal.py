"""Text on a terminal: nothing that is printed steers it."""

from __future__ import annotations

import codecs
import io
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from ...schema.errors import visible_lines

if TYPE_CHECKING:
    from rich.progress import Progress

BARS: list[Progress] = []
"""The progress bars that stand on the terminal."""
LOOK = "look: "
"""What a line begins with that says where to look."""
_QUOTED = re.compile(r"(?<![^\s(])'[^']+'")
_RESET = "\x1b[0m"
"""What colorama, which numba imports where it is installed, writes when Python ends."""


class _Unfailing(io.FileIO):
    """A file that takes what its disk does not: what a command says must not end its work."""

    def write(self, data: Any, /) -> int:
        with suppress(OSError):
            return super().write(data)
        return memoryview(data).nbytes


class _Guarded:
    """A text stream that shows control characters instead of obeying them."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream
        # click would write past a stream that names no encoding, as a progress bar's does not.
        self.encoding = stream.encoding or "utf-8"

    def write(self, text: str) -> int:
        if text == _RESET:
            return len(text)
        return self.rich_proxied_file.write(visible_lines(text))

    def writelines(self, lines: Iterable[str]) -> None:
        self.rich_proxied_file.writelines(map(visible_lines, lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


def guard_streams() -> None:
    """Let nothing that is printed steer the terminal: neither ours, nor what libraries say.

    ``tracker.console.Console`` alone writes past this, and bytes for files and pipes do. A stream
    that is closed is as /dev/null, and one for errors that cannot be written to is no error.
    """
    _open_closed_streams()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, _Guarded):
            continue
        if isinstance(stream, io.TextIOWrapper):
            # What the encoding lacks is escaped; click would write past a stream of ASCII.
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"
            encoding = "utf-8" if ascii_only else stream.encoding
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
        setattr(sys, name, _Guarded(stream))


@contextmanager
def bars_aside() -> Iterator[None]:
    """Take the progress bars off the terminal for the block: what it prints would go on in them."""
    for bar in BARS:
        bar.stop()
    try:
        yield
    finally:
        for bar in BARS:
            bar.start()
            guard_streams()


def folded(text: str) -> str:
    """Return a remark in lines of the terminal that stderr is, broken between words.

    Commands and addresses stay in one line, which can be copied.
    """
    if not sys.stderr.isatty() or "://" in text or text.startswith(LOOK):
        return text
    whole = _QUOTED.sub(lambda quoted: quoted[0].replace(" ", "\0"), text)
    width = shutil.get_terminal_size().columns
    lines = [
        textwrap.fill(
            line,
            width,
            subsequent_indent=" " * (len(line) - len(line.lstrip())),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in whole.split("\n")
    ]
    return "\n".join(lines).replace("\0", " ")


def _open_closed_streams() -> None:
    """Open what is closed: the next file to be opened would have its number, and be written to."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is sys.__stderr__:
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(_Unfailing(2, "w", closefd=False)),
            encoding="utf-8" if sys.stderr is None else sys.stderr.encoding,
            line_buffering=True,
        )
