"""``tracker form`` and ``mf``: how well-formed outputs are, and with their meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.parameters import named_values
from ...schema.selection import FILTERS
from .context import Context, command
from .groups import SuggestingGroup
from .ingest import replace_option
from .options import (
    FOLDER,
    PATH,
    TREEBANK,
    filter_options,
    option,
)
from .output import Destination, output_options, write_rows
from .score import tell_beside

_TOLERANCE = option(
    "--tolerance", default=0.05, help="How far below one half the preference for an output may lie."
)


@click.group(cls=SuggestingGroup, name="form")
def form() -> None:
    """Score outputs by language models: whether they are as probable as their references.

    The Form of MF-score (Opitz & Frank 2021, section 3.3): the share of outputs whose mean token
    probability is about that of the reference, or higher. 'tracker show form_by_model' shows it.
    """


@command("score", form)
@option(
    "--model",
    required=True,
    help="Folder of a transformers model, an ARPA file, or ngram: trained on --train-on. "
    "With --kind given: the name of a model whose probabilities were loaded.",
)
@option(
    "--kind",
    choices=["causal", "masked", "ngram", "given"],
    help="Kind of the model; else what its files say.",
)
@option("--train-on", help="Treebank whose text the n-gram model is trained on.")
@option("--order", type=click.IntRange(1, 6), default=3, help="Length of n-grams.")
@filter_options
@_TOLERANCE
@option("elect")
def score(context: Context, model: str, **options: Any) -> None:
    """Compute probabilities that are missing, and the metric form.

    Probabilities of references are computed once per treebank and model. Nothing is downloaded:
    --model names files that are there.
    """
    with context.progress("reading") as progress:
        report = context.tracker().form.score(model, progress=progress, **options)
    context.say(
        f"{plural(report.submissions, 'submission')} scored by {report.model}, "
        f"{report.unchanged} were before"
    )
    tell_beside(context, report.beside)
    _tell_mf(context, report.mf)


@command("train", form)
@click.argument("treebank", type=TREEBANK)
@option("--order", type=click.IntRange(1, 6), default=3, help="Length of n-grams.")
@option(
    "--folder",
    type=FOLDER,
    default=Path(),
    show_default="this folder",
    help="Where the model is written.",
)
def train(context: Context, treebank: str, order: int, folder: Path) -> None:
    """Train an n-gram model on the text of a TREEBANK and write it as an ARPA file.

    'tracker form score --model FILE' reads it; scores are those of --model ngram.
    """
    from ...queries.meaning.form.arpa import write_arpa
    from ...queries.meaning.form.models import train_on_treebank

    with context.tracker().reading() as database:
        model = train_on_treebank(database, treebank, order=order)
    path = write_arpa(model, folder)
    context.say(f"{path}: {plural(len(model.vocabulary), 'word')}, {model.name}")


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
@_TOLERANCE
@replace_option
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
    from ...ingest.scores.columns import ScoreFile

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
    _tell_mf(context, loaded.mf)


def _tell_mf(context: Context, submissions: int) -> None:
    if submissions:
        context.say(
            f"MF-scores of {plural(submissions, 'submission')} computed: 'tracker show mf_scores'"
        )


@command("mf")
@filter_options
@option(
    "--beta",
    "betas",
    multiple=True,
    default=(1.0, 0.5),
    help="Weight: below 1 meaning counts more, above 1 form; 0 to inf; may be repeated.",
)
@output_options
def mf(
    context: Context, betas: tuple[float, ...], to: Destination, **filters: tuple[str, ...]
) -> None:
    """Show MF-scores of meaning and form, best first (Opitz & Frank 2021).

    MF = (1 + b²) · meaning · form / (b² · meaning + form). Those of beta 1 and 0.5 that are missing
    are stored as the metrics mf_1 and mf_0.5. It takes the chosen scores of 'tracker meaning score'
    and 'tracker form score': 'tracker choose mf s2match' or smatch says which meaning.
    """
    from ...queries.meaning.mf import read_mf, score_mf

    tracker = context.tracker()
    with tracker.writing():
        submissions = tracker.select(**{name: filters[name] for name in FILTERS})
        computed = score_mf(tracker.database, submissions)
        if computed:
            context.say(f"MF-scores of {plural(computed, 'submission')} computed")
        rows = read_mf(tracker.database, submissions, betas)
    if not rows.num_rows:
        raise InputError(
            "no submission has a meaning and a form",
            hint="'tracker meaning score' and 'tracker form score' compute them",
        )
    write_rows(rows, to)
