"""``tracker carry``: a run's outputs are loaded for another version of their test set."""

from __future__ import annotations

import click

from sr_tracker.schema.brief import plural
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import SUBMISSION, TREEBANK, narrowing_options, option


@click.command(name="carry")
@click.argument("submissions", nargs=-1, required=True, type=SUBMISSION)
@click.option("--to", required=True, type=TREEBANK, help="The other version: id, or en_ewt.")
@narrowing_options
@option("replace", help="Load in place of other outputs under the same name.")
@pass_context
def command(
    context: Context,
    submissions: tuple[str, ...],
    to: str,
    treebank: str | None,
    campaign: str | None,
    replace: bool,
) -> None:
    """Load the outputs of SUBMISSIONS for another version of their treebank, and score them.

    A run keeps its system, iteration, date and params; the tag carried_from tells what it was.
    Outputs find their sentence by sent_id, else by its text. 'tracker drift' then tells how much
    of a score's change comes from the references.
    """
    with context.progress("carrying") as progress:
        carried = context.tracker().carry(
            *submissions,
            to=to,
            treebank=treebank,
            campaign=campaign,
            replace=replace,
            progress=progress,
        )
    for each in carried:
        state = "loaded and scored" if each.changed else "nothing new"
        context.say(
            f"{each.submission_id}: {state}, {plural(each.missing, 'sentence')} without an output"
        )
