"""``tracker judges score-with``: scores by models, here or at an endpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from ...queries.metrics.signatures import notes_on
from ...schema.brief import plural
from ...schema.errors import TrackerError
from ...schema.parameters import Option
from ..cli.groups import ThemeGroup
from ..cli.operation import operation
from ..cli.shown import Asks, Own, Shown
from .operations import ScoringWith

if TYPE_CHECKING:
    from ...queries.judges.judging import JudgePlan, JudgeReport
    from ...queries.metrics.external import StoredScores

MILLION = 1_000_000


def _scored(stored: Sequence[StoredScores]) -> Iterator[str]:
    for metric in stored:
        yield f"{metric.metric}: {plural(metric.sentences, 'output')} scored"
    beside = {name: by for metric in stored for name, by in metric.beside.items()}
    yield from (f"note: {note}" for note in notes_on(beside))
    if not stored:
        yield "nothing to score"


def _planned(plan: JudgePlan, input_price: float | None = None) -> Iterator[str]:
    cost = f", about {plan.tokens * input_price / MILLION:.2f} to send" if input_price else ""
    yield (
        f"{plural(len(plan.submissions), 'submission')}, {plural(len(plan.items), 'output')}: "
        f"{plural(len(plan.pending), 'request')} of about {plural(plan.tokens, 'token')}{cost}, "
        f"{len(plan.scores)} answers are kept"
    )


def _question(plan: JudgePlan, endpoint: str, elect: bool) -> str | None:
    if not (plan.items or elect):
        return None
    return f"Ask {endpoint}?" if plan.pending else ""


def _judged(
    report: JudgeReport, input_price: float | None = None, output_price: float | None = None
) -> str:
    price = report.input_tokens * (input_price or 0) + report.output_tokens * (output_price or 0)
    cost = f", {price / MILLION:.2f} by the prices given" if price else ""
    line = (
        f"{report.asked} asked, {len(report.failures)} without a score; {report.input_tokens} "
        f"tokens sent, {report.output_tokens} answered{cost}"
    )
    return "\n".join([line, *_scored(report.stored)])


def _check_all_scored(report: Any) -> None:
    """Raise TrackerError where some output has no score, of a report or of a plan."""
    left: Sequence[str] = getattr(report, "left", ())
    if left:
        raise TrackerError(
            f"{plural(len(left), 'submission')} with outputs without a score, of which nothing is "
            f"stored: {', '.join(left[:3])}; the first failure: {report.failures[0]}",
            hint="the same command asks again for these alone; --allow-missing stores what is "
            "there",
        )


def _price(tokens: str) -> Own:
    return Own(Annotated[float | None, Option(f"Price of a million tokens {tokens}.", low=0)])


score_with = ThemeGroup("score-with", ScoringWith)
operation(ScoringWith.bertscore, Shown(notes=_scored), group=score_with, progress="scoring")
operation(ScoringWith.meteor, Shown(notes=_scored), group=score_with, progress="scoring")
operation(ScoringWith.comet, Shown(notes=_scored), group=score_with, progress="scoring")
operation(
    ScoringWith.judge,
    Shown(
        notes=_planned,
        options={"input_price": _price("sent"), "output_price": _price("answered")},
        asks=Asks(_question, always_tried=True),
        done=_judged,
        finish=_check_all_scored,
    ),
    group=score_with,
    progress="judging",
)
