"""Writing a report: the page, and its charts as PNG where that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ....queries.counting import Counting
from ....schema.brief import Brief
from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.writing import make_folder, write_file
from ..html import page
from ..model import Section
from . import factors, people, sections
from .data import ReportData, read_report
from .history import development, newest, read_histories
from .page import default_title, report_document
from .parsed import grammar, meaning, read_grammar, read_meaning
from .patterns import patterns, trees
from .people import marked
from .sections import Drawings
from .sentences import Sentences


@dataclass(frozen=True, repr=False)
class Written(Brief):
    """What a report consists of."""

    page: Path
    charts: Sequence[Path]
    submissions: int


def write_report(
    database: Database,
    submissions: Sequence[str],
    output: Path,
    *,
    png: Path | None = None,
    title: str | None = None,
    made: datetime | None = None,
    counting: Counting = "newest",
) -> Written:
    """Write a report on these submissions as one HTML page that needs no network.

    ``png`` is a folder for its charts as images. The bytes depend on the database and on ``made``
    alone, the time that is shown as its date (now). ``counting`` tells who counts in averages.

    Raises InputError where a file cannot be written, or none of several submissions counts.
    """
    if not output.parent.is_dir():
        raise InputError("there is no such folder", where=str(output.parent), hint="make it first")
    if png is not None:
        make_folder(png)
    data = read_report(database, submissions, counting)
    drawings = Drawings(png)
    document = report_document(
        data,
        _sections(database, data, drawings),
        title or default_title(data),
        made or datetime.now(UTC),
    )
    write_file(output, page(document).encode())
    return Written(output, drawings.saved, len(data.submissions))


def _sections(database: Database, data: ReportData, drawings: Drawings) -> list[Section]:
    sentences = Sentences(data)
    checked = read_grammar(database, [row["submission_id"] for row in data.submissions])
    compared = read_meaning(database, [row["submission_id"] for row in data.submissions])
    histories = read_histories(database, [row["submission_id"] for row in data.submissions])
    of_one_system = len({row["system_id"] for row in data.submissions}) == 1
    return [
        *([newest(histories)] if histories and of_one_system else []),
        sections.leaderboard(data),
        sections.relations(data, drawings, sentences),
        *([grammar(checked)] if checked.scores else []),
        *([meaning(compared)] if compared.scores else []),
        *([development(histories, drawings)] if histories else []),
        people.people(data, drawings),
        *marked(database, [row["submission_id"] for row in data.submissions], drawings),
        people.agreement(data, drawings),
        people.significance(data, drawings),
        factors.correlations(data, drawings),
        factors.projectivity(data, drawings),
        factors.entropy(data, drawings),
        patterns(data, drawings, sentences),
        trees(data, drawings),
        sentences.section(),
    ]
