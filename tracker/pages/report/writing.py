"""Making a report, its head and sections, and writing it, with charts as PNG where wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ....queries.counting import Counting
from ....queries.metrics.registry import tabled_metrics
from ....queries.numbers import number
from ....queries.reading import read_about
from ....schema.brief import Brief, plural
from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.files import make_folder, write_file
from ....schema.statements import read_rows
from ...show.html import page
from ...show.model import Document, KeyFigure, Section
from . import factors, people, sections
from .data import ReportData
from .history import development, newest, read_histories
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
    data = ReportData(database, submissions, counting)
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
    everything = data.everything
    checked, compared = read_grammar(database, everything), read_meaning(database, everything)
    histories = read_histories(database, everything)
    errors = marked(database, everything, drawings)
    of_one_system = len({row["system_id"] for row in data.submissions}) == 1
    with database.transaction(read_only=True):
        sentences = Sentences(data)
        return [
            *([newest(histories)] if histories and of_one_system else []),
            sections.leaderboard(data),
            sections.relations(data, drawings, sentences),
            *([grammar(checked)] if checked.scores else []),
            *([meaning(compared)] if compared.scores else []),
            *([development(histories, drawings)] if histories else []),
            people.people(data, drawings),
            *errors,
            people.agreement(data, drawings),
            people.significance(data, drawings),
            factors.correlations(data, drawings),
            factors.projectivity(data, drawings),
            factors.entropy(data, drawings),
            patterns(data, drawings, sentences),
            trees(data, drawings),
            sentences.section(),
        ]


def report_document(
    data: ReportData, sections: Sequence[Section], title: str, made: datetime
) -> Document:
    """Return the sections of a report with its head and what they were computed from."""
    return Document(
        _kind(data, title),
        title,
        sections,
        lead=_lead(data),
        figures=_figures(data),
        provenance=_provenance(data),
        comparable="Numbers of two reports may be compared where the signature and the references "
        "are the same.",
        made=made.strftime("%Y-%m-%d %H:%M UTC"),
    )


def default_title(data: ReportData) -> str:
    """Return the name of what all submissions have in common, the narrowest first."""
    for key in ("submission_id", "system_id", "campaign_id", "treebank_id"):
        names = {str(row[key]) for row in data.submissions}
        if len(names) == 1:
            return names.pop()
    return "All campaigns"


def _kind(data: ReportData, title: str) -> str:
    if len(data.submissions) == 1:
        return "Submission report"
    for kind in ("system", "campaign", "treebank"):
        if {row[f"{kind}_id"] for row in data.submissions} == {title}:
            return f"{kind.capitalize()} report"
    return "Report"


def _lead(data: ReportData) -> str:
    count = len(data.submissions)
    if count == 1:
        row = data.submissions[0]
        year = f" ({row['year']})" if row["year"] else ""
        return (
            f"Iteration {row['iteration']} of system {row['system_id']} in campaign "
            f"{row['campaign_id']}{year}: {plural(row['sentences'], 'sentence')} of treebank "
            f"{row['treebank_id']}, {row['missing']:,} without an output."
        )
    lead = (
        f"{plural(count, 'submission')} of {_count(data, 'system')} for "
        f"{_count(data, 'treebank')} in "
        f"{_count(data, 'campaign')}."
    )
    used = len(data.averaged)
    if used < count:
        lead += (
            f" Averages and examples rest on {used} of them, the {data.who_counts}; the others are "
            "in the leaderboard only."
        )
    return lead


def _count(data: ReportData, kind: str) -> str:
    names = sorted({str(row[f"{kind}_id"]) for row in data.submissions})
    return f"{kind} {names[0]}" if len(names) == 1 else f"{len(names)} {kind}s"


def _figures(data: ReportData) -> list[KeyFigure]:
    (newest, *others) = data.averaged
    if others or len({row["system_id"] for row in data.submissions}) > 1:
        return []
    (row,) = read_about(data.database, "leaderboard", [newest["submission_id"]]).to_pylist()
    return [
        KeyFigure(name, number(row[key]), meaning)
        for key, name, meaning in _key_figures()
        if row[key] is not None
    ]


def _key_figures() -> list[tuple[str, str, str]]:
    """Return columns of the leaderboard, what each is called and what it means."""
    metrics = [each for each in tabled_metrics() if each.usual]
    return [
        ("coverage", "coverage", "share of sentences with an output"),
        *((each.name, each.heading, each.column_comment) for each in metrics),
        ("adequacy_z", "adequacy", "mean z-score of human judgements"),
        ("fluency_z", "fluency", "mean z-score of human judgements"),
    ]


def _provenance(data: ReportData) -> list[tuple[str, str]]:
    treebanks = sorted({row["treebank_id"] for row in data.submissions})
    references = read_rows(data.database, "report_references", treebanks=treebanks)
    return [
        *((row["metric"], row["signature"]) for row in data.rows("report_signatures")),
        *((row["analysis"], row["signature"]) for row in data.analyses),
        *((row["treebank_id"], f"sha256 {row['sha256']}") for row in references),
        *(("all data", f"sha256 {row['sha256']}") for row in data.rows("report_data_hash")),
    ]
