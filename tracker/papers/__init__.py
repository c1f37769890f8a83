"""The papers' tables and figures, made of what is loaded, beside what the papers print."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...queries.counting import Counting
from ...queries.errors import Settings as AnalysisSettings
from ...queries.formats import Rows, csv_text, plain_rows
from ...queries.papers import part_rows, prefer_analyses
from ...schema.brief import Brief, plural
from ...schema.errors import InputError, TrackerError
from ...schema.files import make_folder, write_file
from ...schema.folders import HeldFolder
from ...schema.iterations import passing
from ...schema.names import check_names
from ...schema.progress import Progress, silent
from ...schema.sharing import SharedDatabase
from ...schema.statements import Row
from ..api.methods import settings_of
from ..show.markdown import markdown_table
from ..show.model import Column
from ..show.papers import latex
from ..show.tables import cross_table, filled
from .parts import Paper, Part, Run, published_number

if TYPE_CHECKING:
    from ..api.tracker import Tracker
    from ..show.model import Kind, Table


DIGITS = 3
"""After the point of numbers that the paper does not print."""


@dataclass(frozen=True)
class Reproduced(Brief):
    """A part as it was made."""

    part: Part
    rows: Any
    """The rows, plain."""
    compared: Sequence[Row] = ()
    """A row for each value here that there is a published one for, and whether it is the same."""
    reason: str = ""
    """Why there are no rows."""
    files: Sequence[Path] = ()

    @property
    def equal(self) -> int:
        """How many values are those of the paper."""
        return sum(row["same"] for row in self.compared)

    def summary(self) -> Row:
        """Return the part as a row: how many rows it has, and how near they are to the paper's."""
        differences = [abs(row["difference"]) for row in self.compared]
        return {
            "part": self.part.name,
            "caption": self.part.caption,
            "rows": len(self.rows),
            "published": len(self.compared) or None,
            "equal": self.equal if self.compared else None,
            "largest_difference": max(differences, default=None),
            "note": self.reason or (self.part.differs if self.equal < len(differences) else ""),
        }


def reproduce(
    tracker: Tracker,
    paper: Paper,
    parts: Sequence[str],
    filters: Mapping[str, Any],
    out: Path | None,
    counting: Counting = "newest",
    inputs: Mapping[str, Any] | None = None,
    progress: Progress = silent,
) -> list[Reproduced]:
    """Return the parts of a paper (all where none is named), written into a folder ``out``.

    What is missing is computed with the paper's settings in a copy: the database stays as it is.
    ``inputs`` are what only the user has, such as files, by the names that the paper's parts give
    them.

    Raises UnknownNameError for a part or an input that the paper does not have, InputError for a
    folder that cannot be made, and what the selection raises.
    """
    inputs = inputs or {}
    names = [part.name for part in paper.parts]
    unknown = [name for name in parts if not any(_is_of(part, name) for part in names)]
    check_names("table or figure", unknown, names, where=paper.name)
    check_names("input", inputs, paper.inputs(), where=paper.name)
    chosen = [
        part for part in paper.parts if not parts or any(_is_of(part.name, name) for name in parts)
    ]
    runs = [run for run in paper.runs if any(part.needs_run(run) for part in chosen)]
    failures: list[tuple[Run, str]] = []
    made = []
    with _copied(tracker) as copy:
        with copy.reading() as database:  # some tables are about treebanks alone
            submissions = copy.select(**filters) if filters else passing(database, {})
        if out is not None:
            make_folder(out / paper.name)
        treebanks = [_treebanks(copy, run) for run in runs]
        steps = len(runs) + len(chosen)
        for done, run in enumerate(runs):
            progress(run.operation, done, steps)
            try:
                _run(copy, run, filters, inputs, treebanks[done])
            except TrackerError as error:
                failures.append((run, f"{run.operation}: {error.message}"))
        for done, part in enumerate(chosen, len(runs)):
            progress(part.name, done, steps)
            if part.run is not None:
                made.append(_computed(copy, part, part.run, filters, inputs))
                continue
            reasons = [reason for run, reason in failures if part.needs_run(run)]
            with copy.reading() as database:
                rows = part_rows(
                    database, part.statement, submissions, bool(filters), counting, part.settings
                )
            made.append(_reproduced(part, rows, reasons))
    if out is not None:
        return write_parts(paper, made, out / paper.name)
    return made


def _is_of(part: str, name: str) -> bool:
    """Return whether a part is that of a name, or belongs to it as table-4-de to table-4."""
    return part == name or part.startswith(f"{name}-")


def _treebanks(tracker: Tracker, run: Run) -> list[str]:
    """Return the treebanks for each of which a run is computed; none of a run without a split."""
    if not run.split:
        return []
    done = tracker.show(run.unless)["treebank_id"].to_pylist() if run.unless else []
    treebanks = tracker.show("treebank", where=f"split = '{run.split}' AND tokens > 0")
    return [name for name in treebanks["treebank_id"].to_pylist() if name not in done]


def _run(
    tracker: Tracker,
    run: Run,
    filters: Mapping[str, Any],
    inputs: Mapping[str, Any],
    treebanks: Sequence[str] = (),
) -> Any:
    """Return what the method returns. Raises InputError where the user has not named an input."""
    missing = [name for name in run.inputs.values() if name not in {*inputs, *run.optional}]
    if missing:
        options = " ".join(f"--with {name}=…" for name in missing)
        raise InputError(f"{options} is missing", hint="see what the part needs")
    named = {parameter: inputs[name] for parameter, name in run.inputs.items() if name in inputs}
    settings = {"settings": dict(run.settings)} if run.settings else {}
    function = attrgetter(run.operation)(tracker)
    chosen = filters if run.filtered else {}
    if run.split:
        for treebank in treebanks:
            function(treebank, **run.named, **named, **settings, **chosen)
        return None
    result = function(**run.named, **named, **settings, **chosen)
    if run.operation == "analyse":
        with tracker.writing():
            prefer_analyses(tracker.database, settings_of(AnalysisSettings, run.settings))
    return getattr(result, run.rows) if run.rows else result


def _computed(
    tracker: Tracker,
    part: Part,
    run: Run,
    filters: Mapping[str, Any],
    inputs: Mapping[str, Any],
) -> Reproduced:
    """Return a part whose rows a method computes: a table, or the fields of objects."""
    import pyarrow as pa

    try:
        result = _run(tracker, run, filters, inputs)
    except TrackerError as error:
        where = f" ({error.where})" if error.where else ""
        result, reasons = [], [f"{error.message}{where}"]
    else:
        reasons = []
    if not isinstance(result, pa.Table | Rows):
        objects = result if isinstance(result, list | tuple) else [result]
        result = pa.Table.from_pylist([asdict(one) for one in objects])
    return _reproduced(part, plain_rows(result), reasons)


@contextmanager
def _copied(tracker: Tracker) -> Iterator[Tracker]:
    """Give the block a tracker on a copy of the database; on itself where it is in memory."""
    from ..api.tracker import connect
    from ..explorer.snapshot import original_of

    if not isinstance(tracker.database, SharedDatabase):
        yield tracker
        return
    original = original_of(tracker.database.place)
    with tempfile.TemporaryDirectory(prefix="tracker-papers-") as folder:
        file = Path(folder) / original.name
        original.copy_to(file, tracker.wait)
        with connect(file) as copy:
            yield copy


def _reproduced(part: Part, rows: Rows, reasons: Sequence[str]) -> Reproduced:
    reason = ""
    if not len(rows):
        reason = "; ".join([f"nothing is loaded for it: {part.needs}", *reasons])
    return Reproduced(part, rows, _compared(part, rows.to_pylist()), reason)


def _compared(part: Part, rows: Sequence[Row]) -> list[Row]:
    """Return a row for each number among the rows for which there is a published one."""

    def key(row: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(row.get(name, "")) for name in part.key)

    published = part.published_values()
    times = Counter(map(key, published))  # Table 5 has merged patterns, which are called alike
    published_of = {key(line): line for line in published if times[key(line)] == 1}
    digits = part.published_digits()
    compared = []
    for row in rows:
        line = published_of.get(key(row), {})
        for column in digits:
            value, printed = row.get(column), published_number(line.get(column, ""))
            if printed is None or not isinstance(value, int | float):
                continue
            difference = float(value) - printed
            half = 0.5 * 10 ** -digits[column] if part.tolerance is None else part.tolerance
            compared.append(
                {
                    **{name: line[name] for name in part.key},
                    "value": column,
                    "here": float(value),
                    "published": printed,
                    "difference": difference,
                    "same": abs(difference) <= half + 1e-9,
                }
            )
    return compared


def table_of(made: Reproduced) -> Table:
    """Return the rows of a part as a table, as the paper lays it out, in the digits of its values.

    Columns that the paper lacks and that are undefined in all rows are left out.
    """
    part, rows = made.part, made.rows
    if part.layout is not None:
        return cross_table(rows.to_pylist(), part.layout, part.caption)
    digits = part.published_digits()
    names = [
        name
        for name, values in rows.columns.items()
        if name in digits or any(value is not None for value in values)
    ]
    columns = [
        Column(name, _kind(name, rows.kinds[name]), digits=digits.get(name, DIGITS))
        for name in names
    ]
    lines = (
        [", ".join(row[name]) if isinstance(row[name], list) else row[name] for name in names]
        for row in rows.to_pylist()
    )
    return filled(part.caption, columns, lines, titled=True)


def _kind(name: str, kind: str) -> Kind:
    """Return how a column of numbers or of anything else is shown."""
    if kind not in ("whole", "float") or name == "year":
        return "text"
    return "probability" if name.endswith(("_p", "p_value")) else "number"


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
