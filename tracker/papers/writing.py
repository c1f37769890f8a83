"""A paper's parts as files: tables in Markdown, LaTeX and CSV, figures as PNG and Vega-Lite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...queries.formats import csv_text
from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.files import write_file
from ...schema.folders import HeldFolder
from ..show.markdown import markdown_table
from ..show.papers import latex
from . import Reproduced, table_of
from .parts import Paper

_FILE = re.compile(r"[^\w.]+")
_LINES = 60
"""Lines of a table that the overview holds; its file has all."""


def write_parts(paper: Paper, made: Sequence[Reproduced], folder: Path) -> list[Reproduced]:
    """Write each part's files and an overview, README.md, into a folder; return them with files.

    What is interrupted leaves the folder as it was: all files are made in one beside it first.

    Raises InputError where the folder cannot be written into.
    """
    try:
        beside = HeldFolder("papers", folder)
    except OSError as error:
        raise InputError(
            f"cannot write into the folder: {error.strerror}",
            where=str(folder),
            hint="check its permissions, or name another with --out",
        ) from error
    with beside as new:
        written = [replace(part, files=[*_write(part, Path(new))]) for part in made]
        overview = "\n".join(_overview(paper, written))
        write_file(Path(new, "README.md"), overview.encode())
        for file in sorted(Path(new).iterdir()):
            file.replace(folder / file.name)
    return [replace(part, files=[folder / file.name for file in part.files]) for part in written]


def _write(made: Reproduced, folder: Path) -> Iterator[Path]:
    name = made.part.name
    if made.reason:
        return
    rows = made.rows
    contents = {
        ".csv": csv_text(rows.column_names, rows, formulas=True),
        ".md": markdown_table(table_of(made)),
        ".tex": latex(table_of(made)),
    }
    if made.compared:
        compared = made.compared
        contents["-published.csv"] = csv_text(
            [*compared[0]], [[*row.values()] for row in compared], formulas=True
        )
    for ending, content in contents.items():
        file = folder / f"{name}{ending}"
        write_file(file, content.encode())
        yield file
    if made.part.chart:
        yield from _drawn(made, folder)


def _drawn(made: Reproduced, folder: Path) -> Iterator[Path]:
    from ..show.charts import chart
    from ..show.charts.drawing import by
    from ..show.charts.saving import save_chart

    part = made.part
    rows_of = by(made.rows.to_pylist(), *part.each) if part.each else {(): made.rows.to_pylist()}
    for number, (names, rows) in enumerate(rows_of.items(), start=1):
        about = [*map(str, names if isinstance(names, tuple) else (names,))]
        drawing = chart(part.chart, rows, " · ".join([part.caption, *about]))
        file = "-".join([part.name, *(_FILE.sub("-", name) for name in about)])
        if (folder / f"{file}.png").exists():  # names may differ in what files have not
            file = f"{file}-{number}"
        for ending in (".png", ".json"):
            yield save_chart(drawing, folder / f"{file}{ending}")


def _overview(paper: Paper, made: Sequence[Reproduced]) -> Iterator[str]:
    yield f"# {paper.title}"
    yield ""
    for part in made:
        yield f"## {part.part.name.replace('-', ' ').capitalize()}: {part.part.caption}"
        yield ""
        if part.reason:
            yield f"Not made: {part.reason}."
            yield ""
            continue
        if part.compared:
            near = f"{part.equal} of {plural(len(part.compared), 'published value')}"
            yield f"{near} that can be compared are the same in the digits that the paper prints."
            yield ""
        if part.part.differs:
            yield f"What differs: {part.part.differs}"
            yield ""
        if part.part.chart:
            for file in part.files:
                if file.suffix == ".png":
                    yield f"![{part.part.caption}]({file.name})"
                    yield ""
        else:
            table = table_of(part)
            yield markdown_table(replace(table, titled=False, lines=table.lines[:_LINES]))
            if len(table.lines) > _LINES:
                yield f"The first {_LINES} of {len(table.lines):,} lines: the files have all."
                yield ""
        yield "Files: " + ", ".join(f"[{file.name}]({file.name})" for file in part.files)
        yield ""
    if paper.differences:
        yield "## What stays different"
        yield ""
        for difference in paper.differences:
            yield f"- {difference.what}: {difference.why}"
        yield ""
