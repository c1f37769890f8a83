"""``tracker mf``: meaning and form in one score."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.schema.brief import plural
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.selection import FILTERS
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import filter_options
from sr_tracker.tracker.cli.output import output_options, write_rows


@click.command(name="mf")
@filter_options
@click.option(
    "--beta",
    "betas",
    type=float,
    multiple=True,
    default=(1.0, 0.5),
    show_default=True,
    help="Weight: below 1 meaning counts more, above 1 form; 0 to inf; may be repeated.",
)
@output_options
@pass_context
def command(
    context: Context,
    betas: tuple[float, ...],
    format_name: str | None,
    output: Path | None,
    **filters: tuple[str, ...],
) -> None:
    """Show MF-scores of meaning and form, best first (Opitz & Frank 2021).

    MF = (1 + b²) · meaning · form / (b² · meaning + form). Those of beta 1 and 0.5 that are missing
    are stored as the metrics mf_1 and mf_0.5. It takes the newest scores of 'tracker meaning score'
    and 'tracker form score'.
    """
    from sr_tracker.queries.meaning.mf import read_mf, score_mf

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
    write_rows(rows, format_name, output)
