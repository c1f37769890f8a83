"""Reports: one offline page about a submission, a system, a campaign or any choice of them.

Their analyses are a page of the explorer as well, which the pages of what they are about bring.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from ...queries.change.history import GAP, LATEST, LEGEND, History, Line, Summary, history_rows
from ...queries.change.history.computing import history
from ...queries.counting import Counting
from ...queries.metrics.registry import label_of
from ...queries.numbers import measured
from ...schema.brief import Brief, plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import make_folder, write_file
from ...schema.iterations import FILTERS, select_submissions
from ...schema.statements import Row, read_rows
from ..api.tracker import Tracker
from ..show.findings.history import line_blocks, line_name, signed, significant_runs
from ..show.html import page
from ..show.model import Block, Document, KeyFigure, Page, Section, Span, Tab, Table
from . import Request, factors, people
from .addresses import address
from .drawings import Drawings, tabbed
from .leaderboard import leaderboard_of
from .mined import patterns, read_minings, trees
from .sections import section, section_table, sections_of_themes, without_trees
from .selected import ReportData, Sentences
from .submission import key_figures, read_results

TESTED_STEPS = 30
"""Of more iterations in all only the relations are tested: the rest takes 0.4 s each."""


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
    alone, the time that is shown as its date (now). ``counting`` is who counts in averages.

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
        without_trees(database, _sections(database, data, drawings), data.everything),
        title or default_title(data),
        made or datetime.now(UTC),
    )
    write_file(output, page(document).encode())
    return Written(output, drawings.saved, len(data.submissions))


def _sections(database: Database, data: ReportData, drawings: Drawings) -> list[Section]:
    histories = read_histories(database, data.everything)
    judgements = sections_of_themes("report_judgements", database, data, drawings)
    of_one_system = len({row["system_id"] for row in data.submissions}) == 1
    relations, *others = analysed_sections(data, drawings)
    return [
        *([newest(histories)] if histories and of_one_system else []),
        leaderboard_of(database, data.everything),
        relations,
        *([development(histories, drawings)] if histories else []),
        people.rankings(data, drawings),
        *judgements,
        *others,
    ]


def analysed_sections(data: ReportData, drawings: Drawings) -> list[Section]:
    """Return on what outputs fail, which reports and the explorer show: relations first."""
    findings = sections_of_themes("report_findings", data.database, data.everything)
    with data.database.transaction(read_only=True):
        minings = read_minings(data)
        sentences = Sentences(data, [mining.examples for mining in minings])
        return [
            factors.relations(data, drawings, sentences),
            *findings,
            people.significance(data, drawings),
            factors.correlations(data, drawings),
            factors.projectivity(data, drawings),
            factors.entropy(data, drawings),
            patterns(data, minings, drawings, sentences),
            trees(minings, drawings),
            sentences.section(),
        ]


def analyses(tracker: Tracker, request: Request) -> Page:
    """Return the analyses of the submissions that the address chooses, as reports show them.

    Raises what ``select_submissions`` does.
    """
    chosen = {kind: request[kind].split("\n") for kind in FILTERS if request.get(kind)}
    data = ReportData(tracker.database, select_submissions(tracker.database, chosen))
    document = Document(
        "Analyses",
        " · ".join(chain.from_iterable(chosen.values())) or "Every submission",
        without_trees(tracker.database, analysed_sections(data, Drawings(None)), data.everything),
        lead=_lead(data),
    )
    return Page(document, [Span("Leaderboard", address=address("/leaderboard"))])


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
    results = read_results(data.database, {newest["submission_id"]: ""})
    return key_figures(results["submission.metrics"].rows.to_pylist())


def _provenance(data: ReportData) -> list[tuple[str, str]]:
    treebanks = sorted({row["treebank_id"] for row in data.submissions})
    references = read_rows(data.database, "report_references", treebanks=treebanks)
    return [
        *((label_of(row["metric"]), row["signature"]) for row in data.rows("report_signatures")),
        *((row["analysis"], row["signature"]) for row in data.analyses),
        *((row["treebank_id"], f"sha256 {row['sha256']}") for row in references),
        *(("all data", f"sha256 {row['sha256']}") for row in data.rows("report_data_hash")),
    ]


def read_histories(database: Database, submissions: Sequence[str]) -> list[History]:
    """Return the histories of what has several iterations among these submissions."""
    iterated = read_rows(database, "report_iterated", submissions=submissions)
    steps = sum(row["iterations"] for row in iterated)
    histories = []
    for row in iterated:
        whole = history(
            database,
            row["system_id"],
            treebank=row["treebank_id"],
            campaign=row["campaign_id"],
            tests="all" if steps <= TESTED_STEPS else "relations",
            last=LATEST,
        )
        lines = [line for line in whole.lines if line.track == row["track"]]
        histories.append(replace(whole, lines=lines))
    return histories


def development(histories: Sequence[History], drawings: Drawings) -> Section:
    """Return how systems changed over their iterations."""
    lines = [(whole, line) for whole in histories for line in whole.lines]
    cut = any(whole.tests != "all" for whole in histories)
    only = f" With more than {TESTED_STEPS} iterations only the relations are tested, and "
    only += f"at most the latest {LATEST} are followed."
    words = {"marks": "; ".join(LEGEND), "only": only if cut else ""}
    if not any(line.measures for _, line in lines):
        return section("report.history", words=words)
    tabs = [Tab(line_name(whole, line), _of_line(whole, line, drawings)) for whole, line in lines]
    return section("report.history", tabbed("history", tabs), words)


def _of_line(of: History, line: Line, drawings: Drawings) -> list[Block]:
    name = line_name(of, line)
    summaries = of.summaries(line)
    blocks: list[Block] = []
    rows = history_rows(replace(of, lines=[line]))
    if rows["score"].null_count < len(rows):
        file = re.sub(r"[^\w.]+", "-", f"history {name}")
        alternative = (
            f"{len(line.measures)} measures over {len(line.runs)} iterations. "
            + " ".join(
                f"{label_of(summary.measure.name)}: {_significant(summary) or 'none'}."
                for summary in summaries[:3]
            )
        )
        blocks.append(drawings.draw(file, alternative, "history_chart", rows, of.system_id))
    return [*blocks, *line_blocks(of, line)]


def _significant(summary: Summary) -> str:
    return "".join(span.text for span in significant_runs(summary))


def newest(histories: Sequence[History]) -> Section:
    """Return each line's newest iteration against the run before it and the best one."""
    tables = [_table(whole, line) for whole in histories for line in whole.lines if line.measures]
    return section("report.newest", tables, {"marks": "; ".join(LEGEND)})


def _table(of: History, line: Line) -> Table:
    run = line.runs[-1]
    here = {other.submission_id: f"@{other.iteration}" for other in line.runs}
    before = run.previous_submission_id
    against = f" against {here.get(before, before)}" if before else ""
    caption = f"{line_name(of, line)}: @{run.iteration}{against}"
    rows = [_row(line, summary) for summary in of.summaries(line)]
    note = run.not_compared or ""
    return section_table("report.newest", rows, caption=caption, note=note)


def _row(line: Line, summary: Summary) -> Row:
    run, value = line.runs[-1], summary.values[-1]
    change = run.changes.get(summary.measure.name)
    mark = "" if summary.marks[-1] == GAP else summary.marks[-1]
    changed = change is not None and change.difference is not None
    return {
        "measure": summary.measure.name,
        "newest": value,
        "before": change.base if change else None,
        "change": f"{signed(change)} {mark}" if change and changed else mark or None,
        "best": summary.best,
        "best_at": None if summary.best_iteration is None else f"@{summary.best_iteration}",
        "from_best": None
        if value is None or summary.best is None
        else measured(summary.measure.name, value - summary.best, sign=True),
    }
