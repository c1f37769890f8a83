"""``tracker submit``: outputs go in, what changed comes out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...schema.parameters import named_values
from .context import Context, log_options, pass_context
from .options import (
    SUBMISSION,
    analyser_options,
    option,
    run_options,
)
from .output import Destination, write_document

if TYPE_CHECKING:
    from ..submit import SubmitReport

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
def submit(
    context: Context,
    outputs: Path,
    reference_form: str,
    param: tuple[str, ...],
    tag: tuple[str, ...],
    analyser: str,
    model: Path | None,
    **options: Any,
) -> None:
    """Load, score and analyse a file of OUTPUTS, log it, and tell what changed.

    New content becomes the system's next iteration on the treebank, and is compared with its
    parent: scores overall, and the dependency relations and subtree patterns that moved most.
    'tracker compare' tells more. The same content again is nothing new.
    """
    tracker = context.tracker(threads=1, analyser=analyser, model=model)
    from ..show.findings.submission import patterns_document, submission_document

    told: list[SubmitReport] = []

    def tell(report: SubmitReport) -> None:
        document = (patterns_document if told else submission_document)(report)
        if document.title or document.sections:
            write_document(context, Destination(), lambda: document)
        told.append(report)

    with context.progress("submitting") as progress:
        report = tracker.submit(
            outputs,
            reference_form=None if reference_form == "auto" else reference_form,
            params=named_values(param, "--param"),
            tags=named_values(tag, "--tag"),
            tell=tell,
            progress=progress,
            **options,
        )
    for note in report.notes[len(told[0].notes) :]:
        context.say(f"note: {note}")
    if report.logged_to:
        context.say(f"MLflow: logged ({report.logged_to})")
