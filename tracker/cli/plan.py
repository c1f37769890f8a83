"""``tracker plan``: how much to judge, what to judge, and when to stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from .context import Context, command
from .groups import SuggestingGroup
from .options import option
from .output import ENCODED, Destination, output_options, write_rows


class Counts(click.ParamType):  # type: ignore[type-arg]
    """Whole numbers, as 50,100,200."""

    name = "count,…"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Return the numbers."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(int(each) for each in str(value).split(","))
        except ValueError:
            self.fail("give whole numbers, as 50,100,200", param, ctx)


class Names(click.Choice[str]):
    """Some of a few names, as one,other."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the names, each checked."""
        if isinstance(value, tuple):
            return value
        convert = super().convert
        return tuple(convert(each.strip(), param, ctx) for each in str(value).split(","))


def _planned(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say which judgements a plan rests on."""
    for decorator in (
        output_options,
        option("seed"),
        option(
            "--rank-by",
            "ranked_by",
            choices=["z", "raw"],
            default="z",
            help="Which scores: standardised by annotator, or raw.",
        ),
        option("--criterion", help="What was judged, where that is several."),
        option("treebank", help="The test set, where several were judged."),
        option("campaign", help="The campaign, where several were judged."),
    ):
        command = decorator(command)
    return command


def _which(options: dict[str, Any]) -> dict[str, Any]:
    """Take out of options those that say which judgements a plan rests on."""
    return {name: options.pop(name) for name in ("campaign", "treebank", "criterion", "ranked_by")}


def _replicates(default: int, text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return option("replicates", default=default, help=text)


@click.group(name="plan", cls=SuggestingGroup)
def plan() -> None:
    """Plan an evaluation by people from judgements that are there: a pilot, or last year's."""


@command("power", plan)
@option(
    "--difference",
    type=float,
    required=True,
    help="True difference of two systems' mean scores that is to be found.",
)
@option("--items", type=Counts(), default="50,100,200,400,800", help="Numbers of sentences to try.")
@option(
    "--annotators",
    type=Counts(),
    default="1,2,3",
    help="Numbers of judgements of each output to try.",
)
@option("--power", default=0.8, help="The chance wanted.")
@option("--level", default=0.05, help="A one-sided p-value below this tells systems apart.")
@option("--test", choices=["rank-sum", "signed-rank"], default="rank-sum", help="Which test does.")
@option(
    "--around",
    type=float,
    metavar="SCORE",
    help="The mean of the two systems' means.",
    show_default="systems of all levels",
)
@_replicates(1000, "Evaluations to simulate for each size.")
@option("chart", help="Draw the power curves as well: .png, .svg or .html.")
@_planned
def power(context: Context, chart: Path | None, to: Destination, **options: Any) -> None:
    """Tell how many sentences and annotators it takes to tell two systems apart.

    Simulated from stored judgements, with the closed form beside it.
    """
    import pyarrow as pa

    from ...queries.people.planning.power import PowerSettings
    from ..show.findings.plan import power_document

    which = _which(options)
    settings = PowerSettings(**options)
    with context.progress("simulating") as progress:
        plan = context.tracker().plan_power(settings, **which, progress=progress)
    rows = pa.Table.from_pylist([asdict(row) for row in plan.rows])
    title = f"Power to find a difference of {settings.difference:g}"
    context.draw(chart, "power_chart", rows, settings.power, title)
    write_rows(rows, to, partial(power_document, plan))


@command("items", plan)
@option(
    "--by",
    "strategies",
    type=Names(["random", "variance", "disagreement", "coverage"]),
    default="random,variance,disagreement,coverage",
    help="Ways to choose sentences.",
)
@option("--items", type=Counts(), default="25,50,100,200", help="Numbers of sentences to choose.")
@_replicates(1000, "Random choices that the others are held against.")
@_planned
def items(context: Context, strategies: Sequence[str], to: Destination, **options: Any) -> None:
    """Compare ways of choosing sentences by whether they give the ranking that all of them give.

    By the variance of metrics over systems, their disagreement, the coverage of patterns and
    complexity, or at random. 'tracker sample-judging --by' chooses so.
    """
    import pyarrow as pa

    from ...queries.people.planning.comparing import ItemSettings
    from ..show.findings.plan import items_document

    which = _which(options)
    with context.progress("choosing") as progress:
        plan = context.tracker().plan_items(
            ItemSettings(strategies=strategies, **options), **which, progress=progress
        )
    for reason in plan.left_out if to.format in ENCODED else ():
        context.say(f"left out: {reason}")
    rows = pa.Table.from_pylist([asdict(row) for row in plan.rows])
    write_rows(rows, to, partial(items_document, plan))


@command("stopping", plan)
@option(
    "--further",
    type=Counts(),
    show_default="a quarter, half, all and twice of those judged",
    help="Numbers of further sentences to look ahead.",
)
@option("--sure", default=0.95, help="Probability of no change from which on one may stop.")
@option("--level", default=0.05, help="A one-sided p-value below this tells systems apart.")
@_replicates(500, "Continuations to simulate for each number.")
@_planned
def stopping(
    context: Context, further: Sequence[int] | None, to: Destination, **options: Any
) -> None:
    """Tell how likely the ranking and its clusters stay the same if more is judged."""
    import pyarrow as pa

    from ...queries.people.planning.stopping import StopSettings
    from ..show.findings.plan import stopping_document

    which = _which(options)
    with context.progress("simulating") as progress:
        plan = context.tracker().plan_stopping(
            StopSettings(further=further or (), **options), **which, progress=progress
        )
    rows = pa.Table.from_pylist([asdict(row) for row in plan.rows])
    write_rows(rows, to, partial(stopping_document, plan))
