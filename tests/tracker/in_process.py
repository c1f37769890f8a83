"""The command line run in the process of the tests, its streams in memory."""

from __future__ import annotations

import io
import signal
import sys
from dataclasses import dataclass

import pytest

from sr_tracker.tracker.cli import main

RUN = "from sr_tracker.tracker.cli import main; main()"
"""A program for a process of its own."""


class Terminal(io.TextIOWrapper):
    """A stream in memory that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True)
class Done:
    """What a command wrote and how it left."""

    stdout: bytes
    stderr: bytes
    code: int


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str, terminal: bool = False) -> Done:
    """Run ``tracker`` with arguments; ``terminal`` says what stdout and stderr are."""
    kind = Terminal if terminal else io.TextIOWrapper
    streams = [io.BytesIO(), io.BytesIO()]
    with monkeypatch.context() as patch:
        for name, stream in zip(("stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, kind(stream, encoding="utf-8"))
        patch.setattr(sys, "argv", ["tracker", *arguments])
        patch.setattr(sys, "unraisablehook", sys.unraisablehook)
        patch.setattr(signal, "signal", lambda *_: None)
        code = 0
        try:
            main()
        except SystemExit as left:
            code = int(left.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
        return Done(streams[0].getvalue(), streams[1].getvalue(), code)


@dataclass(frozen=True)
class TextResult:
    """What a command wrote as text, and how it left."""

    stdout: str
    stderr: str
    code: int


def run_text(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> TextResult:
    """Run ``tracker`` with arguments that need not be text."""
    done = run(monkeypatch, *map(str, arguments))
    return TextResult(done.stdout.decode(), done.stderr.decode(), done.code)
