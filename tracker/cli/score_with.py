"""``tracker score-with``: scores by models, here or at an endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import click

from ...schema.brief import plural
from ..api.scoring_with import KEY_VARIABLE
from .context import Context, asking_options, command
from .groups import SuggestingGroup
from .options import PATH, filter_options, option
from .score import tell_beside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...queries.judges.judging import JudgePlan, JudgeReport
    from ...queries.metrics.external import StoredScores

MILLION = 1_000_000


@click.group(cls=SuggestingGroup)
def score_with() -> None:
    """Score by a model: BERTScore or COMET from a local model, or a judge at an endpoint.

    The scores are a metric like any other then. Submissions that have them stay as they are.
    """


@command("bertscore", score_with)
@filter_options
@option("--model", required=True, type=PATH, help="Folder of a model of transformers.")
@option(
    "--layer", required=True, type=click.IntRange(1), help="The layer whose vectors are compared."
)
@option("elect")
def bertscore(context: Context, **options: Any) -> None:
    """Score by BERTScore: word pieces matched by their contextual vectors."""
    with context.progress("scoring") as progress:
        stored = context.tracker().score_with.bertscore(progress=progress, **options)
    _tell(context, stored)


@command("comet", score_with)
@filter_options
@option("--model", required=True, help="Checkpoint, or a name that COMET downloads.")
@option("--python", type=PATH, help="Python of the environment with unbabel-comet.")
@option(
    "--reference/--no-reference",
    "with_reference",
    default=True,
    help="Whether the model is given references, or estimates quality without.",
)
@option("--batch-size", type=click.IntRange(1), default=8, help="Rows.")
@option("--gpus", type=click.IntRange(0), default=0, help="GPUs.")
@option("elect")
def comet(context: Context, **options: Any) -> None:
    """Score by COMET, in the environment that has it."""
    with context.progress("scoring") as progress:
        stored = context.tracker().score_with.comet(progress=progress, **options)
    _tell(context, stored)


@command("judge", score_with)
@filter_options
@option("--endpoint", required=True, help="OpenAI-compatible address, up to /v1.")
@option("--model", required=True, help="Name of the model there.")
@option(
    "--prompt", required=True, type=PATH, help="File: a text with {output}, {source}, {reference}."
)
@option("--name", default="judge", help="Name of the metric.")
@option(
    "--key-variable", default=KEY_VARIABLE, help="Environment variable with the endpoint's key."
)
@option("--temperature", default=0.0, help="Temperature.")
@option("seed", default=0, help="Seed sent with requests.")
@option("--max-tokens", type=click.IntRange(1), help="Longest answer.")
@option("--lowest", default=0.0, help="Lowest score.")
@option("--highest", default=100.0, help="Highest score.")
@option("--workers", type=click.IntRange(1, 64), default=4, help="At once.")
@option("--timeout", default=120.0, help="Seconds.")
@option("--attempts", type=click.IntRange(1), default=5, help="Of each.")
@option("--allow-missing", is_flag=True, help="Store scores though some failed.")
@option("elect")
@option("--input-price", type=click.FloatRange(0), help="Of a million tokens sent.")
@option("--output-price", type=click.FloatRange(0), help="Of a million tokens answered.")
@asking_options
def judge(
    context: Context,
    dry_run: bool,
    yes: bool,
    input_price: float | None,
    output_price: float | None,
    **given: Any,
) -> None:
    """Let a language model judge outputs, after telling how much will be asked.

    Answers are kept in the database: what was asked once is not asked again, and an interrupted
    run goes on where it was.
    """
    tracker = context.tracker()
    plan = cast("JudgePlan", tracker.score_with.judge(dry_run=True, **given))
    cost = f", about {plan.tokens * input_price / MILLION:.2f} to send" if input_price else ""
    context.say(
        f"{plural(len(plan.submissions), 'submission')}, {plural(len(plan.items), 'output')}: "
        f"{plural(len(plan.pending), 'request')} of about {plural(plan.tokens, 'token')}{cost}, "
        f"{len(plan.scores)} answers are kept"
    )
    if dry_run or not (plan.items or given["elect"]):
        return
    if plan.pending and not context.agreed(f"Ask {given['endpoint']}?", yes=yes):
        return
    with context.progress("judging") as progress:
        report = cast("JudgeReport", tracker.score_with.judge(progress=progress, **given))
    price = report.input_tokens * (input_price or 0) + report.output_tokens * (output_price or 0)
    cost = f", {price / MILLION:.2f} by the prices given" if price else ""
    context.say(
        f"{report.asked} asked, {len(report.failures)} without a score; {report.input_tokens} "
        f"tokens sent, {report.output_tokens} answered{cost}"
    )
    _tell(context, report.stored)
    if report.left:
        raise_left(report)


def raise_left(report: JudgeReport) -> None:
    """Say of which submissions some output has no score. Raises TrackerError."""
    from ...schema.errors import TrackerError

    raise TrackerError(
        f"{plural(len(report.left), 'submission')} with outputs without a score, of which "
        f"nothing is stored: {', '.join(report.left[:3])}; the first failure: {report.failures[0]}",
        hint="the same command asks again for these alone; --allow-missing stores what is there",
    )


def _tell(context: Context, stored: Sequence[StoredScores]) -> None:
    for each in stored:
        context.say(f"{each.metric}: {plural(each.sentences, 'output')} scored")
    tell_beside(context, {name: by for each in stored for name, by in each.beside.items()})
    if not stored:
        context.say("nothing to score")
