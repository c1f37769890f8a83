"""``tracker meaning form``: how well-formed outputs are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...queries.meaning.form import TOLERANCE
from ...queries.metrics.choice import notes_on
from ...schema.brief import plural
from ...schema.parameters import named_values
from ..api.meaning import Form, Tolerance
from .context import Context, command
from .meaning import scored_with_mf
from .operation import Shown, ThemeGroup, operation
from .options import PATH, annotated, option

if TYPE_CHECKING:
    from ...queries.meaning.form.scoring import FormReport


def _scored(report: FormReport) -> Iterator[str]:
    yield (
        f"{plural(report.submissions, 'submission')} scored by {report.model}, "
        f"{report.unchanged} were before"
    )
    yield from (f"note: {note}" for note in notes_on(report.beside))
    yield from scored_with_mf(report.mf)


form = ThemeGroup("form", Form)
operation(Form.score, Shown(notes=_scored), group=form, progress="reading")
operation(Form.train, Shown(), group=form)


@command("ingest", form)
@click.argument("file", type=PATH)
@option("campaign", help="Campaign of the submissions.")
@option("system", help="System of all rows.")
@option("treebank", help="Treebank of all rows.")
@option("submission", help="Submission of all rows.")
@option("--model", help="Language model of all rows.")
@option(
    "--column",
    "-c",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Column of a field: submission, system, treebank, iteration, sent_id, model, "
    "probability, reference_probability, tokens.",
)
@annotated("tolerance", Tolerance, TOLERANCE)
@option("replace")
def ingest(
    context: Context,
    file: Path,
    campaign: str | None,
    system: str | None,
    treebank: str | None,
    submission: str | None,
    column: tuple[str, ...],
    **options: Any,
) -> None:
    """Load a FILE of mean token probabilities computed elsewhere, and score by them.

    CSV, TSV, JSONL or Parquet: a row for each output.
    """
    from ...ingest.formats import ScoreFile

    given = ScoreFile(
        named_values(column, "--column"),
        campaign_id=campaign,
        system_id=system,
        treebank_id=treebank,
        submission_id=submission,
    )
    loaded = context.tracker().ingest_probabilities(file, given, **options)
    state = f"{loaded.new:,} new probabilities" if loaded.new else "nothing new"
    context.say(f"{file.name}: {state}, {plural(loaded.submissions, 'submission')} scored")
    for line in scored_with_mf(loaded.mf):
        context.say(line)
