"""Plans of an evaluation by people as documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ....queries.numbers import UNDEFINED, number, percent
from ....schema.brief import plural
from ..model import Column, Document, Section
from ..tables import table

if TYPE_CHECKING:
    from ....queries.examination.planning.comparing import ItemPlan
    from ....queries.examination.planning.power import Needed, PowerPlan
    from ....queries.examination.planning.stopping import StopPlan

POWER = {
    "items": Column("sentences"),
    "annotators": Column("annotators", meaning="judgements of each output"),
    "judgements": Column("judgements", meaning="of each system"),
    "simulated": Column("power", meaning="share of the simulated evaluations that find it"),
    "of_lowest": Column("of the lowest", meaning="the same of systems just above the lowest mean"),
    "of_highest": Column("of the highest", meaning="of systems just below the highest mean"),
    "expected": Column("closed form", meaning="the same by the normal approximation"),
    "undefined_reason": Column("remark", "text"),
}
ITEMS = {
    "strategy": Column("chosen by", "text"),
    "items": Column("sentences"),
    "agreement": Column("agreement", meaning="share of the pairs of systems in the same order"),
    "low": Column("5 %", meaning="5 % of the random choices agree less"),
    "high": Column("95 %", meaning="5 % of the random choices agree more"),
    "better_than_random": Column(
        "above random", meaning="share of the random choices that agree less"
    ),
}
STOPPING = {
    "further": Column("further sentences"),
    "best": Column("same best", meaning="probability that the same system is first"),
    "clusters": Column("same clusters", meaning="probability"),
    "ranking": Column("same ranking", meaning="probability that all are in the same order"),
    "agreement": Column("agreement", meaning="expected share of pairs in the same order"),
}


def power_document(plan: PowerPlan) -> Document:
    """Return how many sentences it takes, power by size, and where scores vary."""
    settings = plan.settings
    known = plan.components
    parts = (
        ("sentences", known.sentence),
        ("annotators", known.annotator),
        ("outputs", known.output),
        ("residual", known.residual),
        ("between annotators of an output", known.repeated),
        ("half of a difference", known.difference),
    )
    return Document(
        "Power",
        f"To tell {number(settings.difference, 3)} apart",
        [_section("power", "Power by size", POWER, plan.rows)],
        lead=_place(plan) + f" · {plural(plan.systems, 'system')} · {settings.test} test, "
        f"one-sided p below {settings.alpha:g}",
        verdict=[_needed(each, settings.power) for each in plan.needed],
        notes=[
            f"outputs for a sentence are judged by {known.annotators} annotators",
            "variances: "
            + ", ".join(
                f"{name} {UNDEFINED if value is None else number(value, 3)}"
                for name, value in parts
            ),
        ],
        provenance=[("simulated", f"{settings.replicates:,} evaluations, seed {settings.seed}")],
    )


def items_document(plan: ItemPlan) -> Document:
    """Return how rankings from chosen sentences agree with the whole one."""
    return Document(
        "Sentences",
        "Which sentences to judge",
        [_section("items", "Agreement with the ranking from all", ITEMS, plan.rows)],
        lead=f"{_place(plan)} · {plural(plan.systems, 'system')}, "
        f"{plural(plan.sentences, 'sentence')}",
        notes=plan.left_out,
        provenance=[("random", f"{plan.settings.replicates:,} choices, seed {plan.settings.seed}")],
    )


def stopping_document(plan: StopPlan) -> Document:
    """Return how likely nothing changes."""
    sure = percent(plan.settings.sure)
    said = (
        f"Settled ({sure}), however often one looks: {', '.join(plan.settled_at_any_look)}. "
        if plan.settled_at_any_look
        else f"Nothing is settled ({sure}) for who looks again and again: go on. "
    ) + (
        f"Sure not to change, in a single look: {', '.join(plan.settled)}."
        if plan.settled
        else "Nothing is sure not to change, in a single look."
    )
    return Document(
        "Stopping",
        "Whether to go on judging",
        [_section("stopping", "Probability of no change", STOPPING, plan.rows)],
        lead=f"{_place(plan)} · {plural(plan.systems, 'system')}, "
        f"{plural(plan.sentences, 'sentence')}, {plural(plan.clusters, 'cluster')}, "
        f"first {plan.best}",
        verdict=[said],
        provenance=[
            ("simulated", f"{plan.settings.replicates:,} continuations, seed {plan.settings.seed}")
        ],
    )


def _section(anchor: str, title: str, columns: dict[str, Column], rows: Sequence[Any]) -> Section:
    return Section(
        anchor, title, title, blocks=[table(title, columns, [asdict(row) for row in rows])]
    )


def _place(plan: PowerPlan | ItemPlan | StopPlan) -> str:
    return f"{plan.campaign_id}, {plan.treebank_id}, {plan.criterion}"


def _needed(needed: Needed, power: float) -> str:
    by = f"With {plural(needed.annotators, 'annotator')} of each output"
    find = f"to find it with probability {power:g}"
    if not needed.is_simulated and needed.items is None:
        return f"{by}: {needed.undefined_reason}."
    tried = "in simulation none of the numbers tried does"
    if needed.simulated is not None:
        tried = f"in simulation {plural(needed.simulated, 'sentence')} are the fewest tried that do"
    elif not needed.is_simulated:
        tried = f"nothing was simulated: {needed.undefined_reason}"
    if needed.items is None:
        return (
            f"{by} no closed form tells what it takes {find}, {needed.undefined_reason}; {tried}."
        )
    return f"{by} it takes {plural(needed.items, 'sentence')} in closed form {find}; {tried}."
