"""How far work is, for methods that take ``progress``: a bar in a notebook, a line elsewhere."""

from __future__ import annotations

import math
import sys
import time
from html import escape
from typing import Any

from ...schema.errors import visible

SECONDS_BETWEEN = 0.2
_WIDTH = 30


class progress_bar:  # noqa: N801
    """Tells how far work is; the same bar is drawn again and again.

    In a notebook it is HTML's own progress bar, on a terminal a line that is written over;
    elsewhere, such as in a log, one line when all is done.

    >>> progress = progress_bar("scoring")
    >>> db.score(progress=progress)  # doctest: +SKIP
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._shown: Any = None
        self._drawn = -math.inf

    def __call__(self, item: str, done: int, total: int) -> None:
        """Draw how many of the total are done; too soon after the last time, only if all are."""
        now = time.monotonic()
        if done < total and now - self._drawn < SECONDS_BETWEEN:
            return
        self._drawn = now
        display = _display_of_a_notebook()
        if display is not None:
            self._draw(display, _Bar(self._title, item, done, total))
        elif sys.stderr.isatty():
            filled = "█" * (_WIDTH * done // max(total, 1))
            text = f"{self._title} {filled:·<{_WIDTH}} {done}/{total} {visible(item)[:40]:<40}"
            sys.stderr.write(f"\r{text}" + ("\n" if done >= total else ""))
            sys.stderr.flush()
        elif done >= total:
            sys.stderr.write(f"{self._title}: {done} of {total}\n")

    def _draw(self, display: Any, bar: _Bar) -> None:
        if self._shown is None:
            self._shown = display(bar, display_id=True)
        else:
            self._shown.update(bar)


class _Bar:
    """A bar as a notebook shows it, or a page that is made of one."""

    def __init__(self, title: str, item: str, done: int, total: int) -> None:
        self._text = f"{title}: {done} of {total}"
        self._item = "" if done >= total else f" · {visible(item)}"
        self._done, self._total = done, max(total, 1)

    def __repr__(self) -> str:
        return f"{self._text}{self._item}"

    def _repr_html_(self) -> str:
        name = escape(self._text)
        bar = f'<progress value="{self._done}" max="{self._total}" aria-label="{name}"></progress>'
        return f"<div>{bar} {name}<small>{escape(self._item)}</small></div>"


def _display_of_a_notebook() -> Any:
    """Return what shows things in a notebook; None where none runs, as in IPython's terminal."""
    running = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if running is None or getattr(running, "kernel", None) is None:
        return None
    return sys.modules["IPython"].display.display
