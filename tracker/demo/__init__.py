"""The demo: the sample campaign's three years go through the whole job."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from schema.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from tracker.api import Tracker
    from tracker.cli.context import Context

CAMPAIGNS = ("SAMPLE23", "SAMPLE24", "SAMPLE25")

TABLES = (
    (
        "Who wins: the leaderboard of 2025",
        "leaderboard",
        (
            "system_id AS system, iteration, treebank_id AS treebank, "
            "bleu, nist, dist, chrf, dea, adequacy_z, fluency_z"
        ),
        "campaign_id = 'SAMPLE25'",
        None,
    ),
    (
        "Why: the relations that are hardest to realise, over all submissions",
        "dea_by_relation_macro",
        "deprel, edges, submissions, dea, dea_median",
        "edges >= 20",
        8,
    ),
    (
        "What changed: the iterations of one system",
        "submission_history",
        "treebank_id AS treebank, iteration, bleu, bleu_change, dea, dea_change",
        "campaign_id = 'SAMPLE25' AND system_id = 'ngram'",
        None,
    ),
    (
        "What was asked: the treebanks' syntactic complexity",
        "treebank_complexity",
        (
            "treebank_id AS treebank, sentences, depth_mean, length_mean, mdd_mean, "
            "nonprojective_percent"
        ),
        "convention = 'standard'",
        None,
    ),
)


def run_demo(folder: Path, context: Context) -> None:
    """Load, score, show and log the sample campaign in a folder; a second run changes nothing.

    Raises InputError where the folder cannot be made.
    """
    from tracker.api import connect
    from tracker.demo.page import write_page

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder: {error.strerror}", where=str(folder)) from error
    database = folder / "campaign.duckdb"
    with connect(database) as tracker:
        _ingest(tracker, context)
        with context.progress("scoring") as progress:
            report = tracker.score(progress=progress)
        context.say(f"scored: {report.scores} new scores for {report.submissions} submissions")
        _log(tracker, context)
        tables = [(title, _table(tracker, *what)) for title, *what in TABLES]
        page = write_page(tracker, folder, tables)
    for title, rows in tables:
        _print(title, rows)
    click.echo(f"The database:     {database}")
    click.echo(f"The MLflow store: {folder / 'mlflow.db'}")
    click.echo(f"What to try next: {page}")


def _ingest(tracker: Tracker, context: Context) -> None:
    with as_file(files("tracker.demo").joinpath("sample")) as sample:
        for campaign in CAMPAIGNS:
            with context.progress(f"loading {campaign}") as progress:
                report = tracker.ingest_campaign(
                    sample / campaign / "campaign.toml", progress=progress
                )
            context.say(f"{campaign}: {report.files} files, {report.unchanged} were loaded before")


def _log(tracker: Tracker, context: Context) -> None:
    from tracker.cli.score import log_if_possible

    log_if_possible(context, tracker.database)


def _table(tracker: Tracker, view: str, columns: str, where: str, limit: int | None) -> pa.Table:
    from tracker.reading import read_view

    return read_view(tracker.database, view, columns=columns, where=where, limit=limit)


def _print(title: str, rows: pa.Table) -> None:
    from tracker.cli.output import write_rows

    click.secho(f"\n{title}", bold=True)
    write_rows(rows, None, None)
