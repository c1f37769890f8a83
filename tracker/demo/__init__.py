"""The demo: the sample campaign's years go through the whole job."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import click

from ...schema import TOOL_VERSION
from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.files import write_file
from ..pages.drawings import Drawings
from ..show.html import page
from ..show.model import Details, Document, Pane, Panes, Paragraph, Section, Span
from ..show.tables import rows_table

if TYPE_CHECKING:
    import pyarrow as pa

    from ..api.tracker import Tracker
    from ..cli.context import Context


CAMPAIGNS = ("SAMPLE23", "SAMPLE24", "SAMPLE25", "SAMPLE26")
REPORTED = "SAMPLE25"
SHOWN = "SAMPLE25/ngram/de_sample-ud1.0-test@3"
MEANINGS, TRAINING = "en_meaning", "en_sample-ud1.0-train"
PARSERS = ("attentive/1.0", "hasty/1.0")
"""The parsers of meaning graphs, the best one first: what is scored first is the score."""

TABLES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "Who wins: the leaderboard of 2025",
        "leaderboard",
        {
            "columns": "system_id AS system, iteration, treebank_id AS treebank, "
            "bleu, nist, dist, dea, adequacy_z, fluency_z",
            "where": "campaign_id = 'SAMPLE25'",
        },
    ),
    (
        "What people say: the ranking of 2025, by the annotators who passed quality control",
        "human_leaderboard",
        {
            "columns": "treebank_id AS treebank, criterion, place, system_id AS system, iteration, "
            "raw_mean, z_mean, sentences, assessments, cluster",
            "where": "campaign_id = 'SAMPLE25' AND chosen",
            "order": "treebank_id, criterion, place, system_id, iteration",
        },
    ),
    (
        "Why: the relations that are hardest to realise, over the newest iterations of all systems",
        "dea_by_relation_macro",
        {
            "columns": "deprel, edges, submissions, dea, dea_median",
            "where": "edges >= 20",
            "limit": 8,
        },
    ),
    (
        "On what: the constructions that the newest iteration fails on",
        "suspicious_patterns",
        {
            "columns": "labels, pattern, sentences, failed, failure_rate, base_rate, suspicion, "
            "p_holm",
            "where": f"submission_id = '{SHOWN}' AND nodes > 1",
            "order": "p_value, labels, pattern",
            "limit": 8,
        },
    ),
    (
        "What changed: the iterations of one system",
        "submission_history",
        {
            "columns": "treebank_id AS treebank, iteration, bleu, bleu_change, dea, dea_change",
            "where": "campaign_id = 'SAMPLE25' AND system_id = 'ngram'",
        },
    ),
    (
        "Meaning and form of the sentences made from graphs",
        "mf_scores",
        {
            "columns": "system_id AS system, treebank_id AS treebank, bleu, parser, precision, "
            "recall, meaning, form, mf_1, mf_05"
        },
    ),
    (
        "What was asked: the treebanks' syntactic complexity",
        "treebank_complexity",
        {
            "columns": "treebank_id AS treebank, sentences, depth_mean, length_mean, mdd_mean, "
            "nonprojective_percent",
            "where": "convention = 'standard' AND treebank_id LIKE '%-test'",
        },
    ),
)


def run_demo(folder: Path, context: Context) -> None:
    """Load, score, analyse, log and show the sample campaign; a second run changes nothing.

    Raises InputError where the folder cannot be made.
    """
    from ..api.tracker import connect

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder: {error.strerror}", where=str(folder)) from error
    database, page = folder / "campaign.duckdb", folder / PAGE
    report_page = folder / "report.html"
    with connect(database, create=True) as tracker, tracker.writing():
        changed = _ingest(tracker, context)
        with context.progress("scoring") as progress:
            report = tracker.score(progress=progress)
        context.say(
            f"scored: {report.scores} new scores for {plural(report.submissions, 'submission')}"
        )
        changed |= bool(report.scores) | _compare_graphs(tracker, context)
        anew = changed or not _is_finished(page)
        if anew:
            page.unlink(missing_ok=True)
            _evaluate(tracker, context)
        with context.progress("analysing") as progress:
            analysed = tracker.analyse(progress=progress)
        context.say(f"analysed: {analysed.analyses} new analyses")
        _log(tracker, context)
        tables = [(title, tracker.show(view, **what)) for title, view, what in TABLES]
        if anew or analysed.analyses or not report_page.exists():
            tracker.report(report_page, title="The sample campaign of 2025", campaign=REPORTED)
            write_page(tracker, page, SHOWN, tables)  # the last: it tells that all was done
    for title, rows in tables:
        _print(title, rows)
    click.echo(f"The database:     {database}")
    if (folder / "mlflow.db").exists():
        click.echo(f"The MLflow store: {folder / 'mlflow.db'}")
    click.echo(f"The report:       {report_page}")
    click.echo(f"What to try next: {page}")


def _is_finished(page: Path) -> bool:
    """Return whether a run of this version wrote its last page."""
    return page.is_file() and TOOL_VERSION in page.read_text(encoding="utf-8")


def _ingest(tracker: Tracker, context: Context) -> bool:
    """Load the campaigns and return whether anything was new."""
    changed = False
    with as_file(files(__package__).joinpath("sample")) as sample:
        for campaign in CAMPAIGNS:
            with context.progress(f"loading {campaign}") as progress:
                report = tracker.ingest_campaign(
                    sample / campaign / "campaign.toml", progress=progress
                )
            changed |= report.unchanged < report.files
            context.say(
                f"{campaign}: {plural(report.files, 'file')}, {report.unchanged} were loaded before"
            )
    return changed


def _compare_graphs(tracker: Tracker, context: Context) -> bool:
    """Score meaning and form and return whether any score is new."""
    campaign = CAMPAIGNS[-1]
    with context.progress("comparing graphs") as progress:
        result = tracker.form.score(
            "ngram", train_on=TRAINING, progress=progress, campaign=campaign
        )
        scored = result.submissions
        for parser in PARSERS:
            settings = {"parser": parser}
            tracker.meaning.references(MEANINGS, settings, progress=progress)
            report = tracker.meaning.score(settings, progress=progress, campaign=campaign)
            scored = max(scored, len(report.scored))
    context.say(f"meaning and form: {plural(scored, 'submission')} scored")
    return bool(scored)


def _evaluate(tracker: Tracker, context: Context) -> None:
    with context.progress("evaluating") as progress:
        report = tracker.human(progress=progress)
    for note in report.notes:
        context.say(note)


def _log(tracker: Tracker, context: Context) -> None:
    from ..cli.computing import log_if_possible

    log_if_possible(context, tracker)


def _print(title: str, rows: pa.Table) -> None:
    from ..cli.output import Destination, write_rows
    from ..console import print_styled

    print_styled(f"\n{title}", "bold")
    write_rows(rows, Destination("table"))


PAGE = "next.html"
_LEAD = (
    "The sentences are invented, the systems are real baselines trained on them, the human "
    "judgements are simulated. Everything below was computed by the run that wrote this page."
)
_REPORT = [
    Span("There is also the "),
    Span("report on the campaign of 2025", address="report.html"),
]


def write_page(
    tracker: Tracker, path: Path, shown: str, tables: Sequence[tuple[str, pa.Table]]
) -> None:
    """Write the page, which needs no network, into the folder of the database.

    Its chart shows the accuracy by relation of the submission ``shown``.
    """
    folder = path.parent
    commands = Template(files(__package__).joinpath("next.txt").read_text(encoding="utf-8"))
    filled = commands.substitute(
        database=shlex.quote(str(folder / "campaign.duckdb")),
        store=shlex.quote(f"sqlite:///{folder / 'mlflow.db'}"),
        shown=shlex.quote(shown),
    )
    lines = filled.splitlines()
    relations = tracker.show("dea_by_relation", submission=shown)
    caption = "Dependency edge accuracy by relation"
    chart = Drawings(None).draw(
        "dea-by-relation", caption, "dea_by_relation_chart", relations, shown
    )
    sections = [
        Section("try", "Try", "Try", blocks=[Paragraph(_REPORT), Panes([Pane("", lines)])]),
        *(
            Section(f"table-{n}", title.partition(":")[0], title, blocks=[rows_table(rows, title)])
            for n, (title, rows) in enumerate(tables, start=1)
        ),
        Section(
            "relations",
            "Relations",
            "On which relations the newest fails",
            blocks=[chart, Details("as a table", [rows_table(relations)])],
        ),
    ]
    title = "Sample campaign: what to try next"
    document = Document("Demo", title, sections, lead=_LEAD)
    write_file(path, page(document).encode())
