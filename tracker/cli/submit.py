"""``tracker submit``: outputs go in, what changed comes out."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sr_tracker.tracker.cli.context import Context, log_options, pass_context
from sr_tracker.tracker.cli.options import SUBMISSION, named_values, option
from sr_tracker.tracker.cli.output import write_document
from sr_tracker.tracker.cli.run_options import analyser_options, run_options

if TYPE_CHECKING:
    from sr_tracker.tracker.submit import SubmitReport

_FILE = click.Path(path_type=Path)


@click.command(name="submit")
@click.argument("outputs", type=_FILE)
@option("system", required=True, help="Who generated the outputs.")
@option("treebank", required=True, help="Treebank they were generated for.")
@option("campaign", default="local", show_default=True)
@click.option("--iteration", type=click.IntRange(1), help="Iteration; else the system's next one.")
@click.option(
    "--parent",
    type=SUBMISSION,
    help="Developed from: a submission, or SYSTEM@N; else the latest before.",
)
@click.option(
    "--against", type=SUBMISSION, help="Compare with this submission instead of the parent."
)
@run_options
@option("replace", help="Load in place of --iteration's other content.")
@click.option("--analyse/--no-analyse", default=True, help="Mine and correlate errors.")
@log_options
@analyser_options
@pass_context
def command(
    context: Context,
    outputs: Path,
    system: str,
    treebank: str,
    campaign: str,
    parent: str | None,
    against: str | None,
    created_at: datetime | None,
    reference_form: str,
    param: tuple[str, ...],
    tag: tuple[str, ...],
    replace: bool,
    analyse: bool,
    log: bool,
    tracking_uri: str | None,
    analyser: str,
    model: Path | None,
    **run: Any,
) -> None:
    """Load, score and analyse a file of OUTPUTS, log it, and tell what changed.

    New content becomes the system's next iteration on the treebank, and is compared with its
    parent: scores overall, and the dependency relations and subtree patterns that moved most.
    'tracker compare' tells more. The same content again is nothing new.
    """
    tracker = context.tracker(threads=1, analyser=analyser, model=model)
    from sr_tracker.tracker.show.findings.submission import submission_document

    told: list[str] = []

    def tell(report: SubmitReport) -> None:
        write_document(context, "text", None, partial(submission_document, report), dict)
        told.extend(report.notes)

    with context.progress("submitting") as progress:
        report = tracker.submit(
            outputs,
            system=system,
            treebank=treebank,
            campaign=campaign,
            parent=parent,
            against=against,
            created_at=created_at,
            reference_form=None if reference_form == "auto" else reference_form,
            params=named_values(param, "--param"),
            tags=named_values(tag, "--tag"),
            replace=replace,
            analyse=analyse,
            log=log,
            tracking_uri=tracking_uri,
            tell=tell,
            progress=progress,
            **run,
        )
    for note in report.notes[len(told) :]:
        context.say(f"note: {note}")
    if report.logged_to:
        context.say(f"MLflow: logged ({report.logged_to})")
