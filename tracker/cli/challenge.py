"""``tracker challenge``: which items of challenge sets outputs pass, and metrics get right."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import filter_options
from sr_tracker.tracker.cli.output import output_options, write_rows


@click.command(name="challenge")
@filter_options
@output_options
@pass_context
def command(context: Context, format_name: str | None, output: Path | None, **filters: Any) -> None:
    """Tell which items of challenge sets outputs pass, by phenomenon, from run to run.

    Intervals are Wilson's; changes since the run before are tested by McNemar's exact test,
    corrected over phenomena (Holm). Of contrastive sets it is also told how often each metric
    prefers the good output.
    """
    from sr_tracker.tracker.show.findings.challenges import challenges_document

    found = context.tracker().challenge(**filters)
    write_rows(found.rates, format_name, output, partial(challenges_document, found))
