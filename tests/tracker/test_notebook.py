"""The notebook of the docs runs, and each of its results is something to look at."""

from __future__ import annotations

import ast
import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import sr_tracker
from sr_tracker.queries.change.comparison.model import Comparison
from sr_tracker.queries.change.history import History
from sr_tracker.queries.metrics.registry import label_of
from sr_tracker.tracker.show import progress
from sr_tracker.tracker.show.notebooks import rows_html

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "notebook.py"
PLAIN = (dict, list)
"""Results of Python's own, which a notebook shows as they are."""


def cells() -> list[str]:
    """The notebook's cells of code."""
    parts = re.split(r"^# %%(.*)$", NOTEBOOK.read_text(encoding="utf-8"), flags=re.MULTILINE)
    kinds, texts = parts[1::2], parts[2::2]
    return [text for kind, text in zip(kinds, texts, strict=True) if "markdown" not in kind]


def printed(result: Comparison | History) -> list[str]:
    """Return what ``print`` is to say: the verdict, or what the lines follow."""
    if isinstance(result, Comparison):
        return [*result.verdict]
    return [label_of(measure.name) for measure in result.lines[0].measures]


def run(cell: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; return what its last line comes to."""
    tree = ast.parse(cell)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, str(NOTEBOOK), "exec"), names)  # noqa: S102
        return None
    exec(compile(ast.Module(tree.body[:-1], []), str(NOTEBOOK), "exec"), names)  # noqa: S102
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)  # noqa: S307


def test_the_notebook_runs_and_each_result_is_shown() -> None:
    names: dict[str, Any] = {}
    shown = []
    for cell in cells():
        result = run(cell, names)
        if result is None or isinstance(result, PLAIN):
            continue
        written = rows_html(result) if isinstance(result, pa.Table) else result._repr_html_()
        assert written.lstrip().startswith(("<div", "<section", "<svg", "<style")), written[:80]
        assert "<script" not in written
        if isinstance(result, Comparison | History):
            assert all(sentence in " ".join(str(result).split()) for sentence in printed(result))
        shown.append(type(result).__name__)
    assert {"SubmitReport", "Comparison", "Examples", "History", "Plot", "Table"} <= {*shown}
    assert names["report"].new
    worse = [change for change in names["change"].relations if change.is_significant(0.05)]
    assert worse, "the turned sentences are noticed"
    assert names["patterns"].num_rows == 5
    names["db"].close()


def stream(monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> io.StringIO:
    """What a bar is drawn on."""
    computed = io.StringIO()
    monkeypatch.setattr(computed, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stderr", computed)
    return computed


def test_a_log_gets_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    message = stream(monkeypatch, terminal=False)
    bar = sr_tracker.progress_bar("scoring")
    for done in range(4):
        bar("a\x1b[2J", done, 3)
    assert message.getvalue() == "scoring: 3 of 3\n"


def test_a_terminal_gets_a_line_that_is_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    message = stream(monkeypatch, terminal=True)
    monkeypatch.setattr(progress, "SECONDS_BETWEEN", 0)
    bar = sr_tracker.progress_bar("scoring")
    bar("a\x1b[2J", 1, 2)
    bar("b", 2, 2)
    assert message.getvalue().count("\r") == 2
    assert message.getvalue().endswith("\n")
    assert "\x1b" not in message.getvalue()


def test_a_notebook_gets_a_bar_that_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    message = stream(monkeypatch, terminal=False)
    drawn: list[str] = []

    class Handle:
        def update(self, shown: Any) -> None:
            drawn.append(shown._repr_html_())

    def display(shown: Any, display_id: bool) -> Handle:
        drawn.append(shown._repr_html_())
        return Handle()

    module = SimpleNamespace(
        get_ipython=lambda: SimpleNamespace(kernel=object()),
        display=SimpleNamespace(display=display),
    )
    monkeypatch.setitem(sys.modules, "IPython", module)  # type: ignore[arg-type]
    monkeypatch.setattr(progress, "SECONDS_BETWEEN", 3600)
    bar = sr_tracker.progress_bar("<b>")
    for done in range(5):
        bar("<script>", done, 4)
    assert len(drawn) == 2, "the first, and when all is done"
    assert "&lt;script&gt;" in drawn[0]
    assert 'max="4"' in drawn[0]
    assert "&lt;b&gt;: 4 of 4" in drawn[1]
    assert not message.getvalue()
