"""Write into the tutorial what its commands print: ``make references``.

A ``console`` block has its commands; what is below them is written anew. The day on which it is
written stands as ``…``, and long lines are wrapped, which the test of the page does not mind.
"""

from __future__ import annotations

import re
import tempfile
import textwrap
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.blocks import Block, Reader, blocks, steps_of

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tutorial.md"
WIDTH = 88
"""How many characters of a line fit on a page of the site."""
_PROSE = textwrap.TextWrapper(WIDTH, break_on_hyphens=False, break_long_words=False)
_DAY = re.compile(r"[-\N{NON-BREAKING HYPHEN}]".join(f"{datetime.now(UTC):%Y %m %d}".split()))


def written(page: str, reader: Reader) -> str:
    """Return a page with what its console blocks print."""
    for block in blocks(page):
        if block.language == "console":
            page = page.replace(block.text, _with_outputs(block, reader), 1)
        else:
            reader.run(block)
    return page


def _with_outputs(block: Block, reader: Reader) -> str:
    """Return a block's commands as they stand there, with what each prints below it."""
    commands = re.findall(r"^\$ (?:.*\\\n)*.*", block.text, re.MULTILINE)
    lines: list[str] = []
    for command, (line, _) in zip(commands, steps_of(block), strict=True):
        code, output = reader.command(line)
        assert code == 0, f"{line}\nended with code {code}\n{output}"
        lines += [*command.splitlines(), *_wrapped(output.strip("\n"))]
    return "\n".join(lines) + "\n"


def _wrapped(output: str) -> list[str]:
    """Return the lines of what a command prints, those of prose wrapped."""
    lines: list[str] = []
    for line in _DAY.sub("…", output).splitlines():
        is_prose = "  " not in line.strip() and not set("│├╭╰─") & set(line)
        lines += _PROSE.wrap(line) if is_prose and line else [line.rstrip()]
    return lines


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("COLUMNS", str(WIDTH))
        text = written(PAGE.read_text(encoding="utf-8"), Reader(patch))
    PAGE.write_text(text, encoding="utf-8")
