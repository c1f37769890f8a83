"""The sentences among which one is looked at: what leads from one to the next."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...queries.errors.examples import pattern_order
from ...queries.errors.jobs import check_metric, sentence_metrics
from ...queries.exploring import listing
from ...queries.metrics.registry import direction, metrics
from ...schema.errors import InputError
from ..api.tracker import Tracker
from . import Asked
from .addresses import address
from .comparison import asked_range
from .occurrences import ORDERS

CHANGES = {"lost": ("that lost", -1), "gained": ("that gained", 1), "most": ("by their change", 0)}
"""What sentences of a comparison did, in words and as the sign of what they won."""
RANGES = ("a", "b")
"""Ranges of the scores of both, as the page of the comparison has them."""


@dataclass(frozen=True)
class Among:
    """Some sentences of a submission in their order, and how an address names them."""

    numbers: Sequence[int]
    told: str
    state: Mapping[str, str]
    leads: str
    """The page that lists them."""


def among(tracker: Tracker, submission: str, asked: Asked) -> Among | None:
    """Return the sentences that an address names; None where it names none, or no submission."""
    kept = {name: asked[name] for name in KEPT if asked.get(name)}
    if "base" not in kept:  # it was chosen to look at none
        kept.pop("change", None)
    reader = next((READERS[name] for name in READERS if name in kept), None)
    return reader(tracker, submission, kept) if reader and submission else None


def _missed(tracker: Tracker, submission: str, kept: Mapping[str, str]) -> Among:
    relation = kept["relation"]
    numbers = _numbers(tracker, "sentences_missing", submission=submission, deprel=relation)
    state = {"relation": relation}
    leads = address("/missed", submission, **state)
    return Among(numbers, f"that miss {relation}", state, leads)


def _pattern(tracker: Tracker, submission: str, kept: Mapping[str, str]) -> Among:
    state = {name: kept[name] for name in ("pattern", "labels", "metric") if name in kept}
    numbers = pattern_order(
        tracker.database,
        submission,
        kept["pattern"],
        labels=kept.get("labels"),
        metric=kept.get("metric") or sentence_metrics(tracker.database, [submission])[0],
    )
    leads = address("/examples", submission, **state)
    return Among(numbers, f"with {kept['pattern']}", state, leads)


def _changed(tracker: Tracker, submission: str, kept: Mapping[str, str]) -> Among:
    change, base = kept["change"], tracker.resolve(kept.get("base", ""))
    metric = kept.get("metric") or sentence_metrics(tracker.database, [submission, base])[0]
    check_metric(tracker.database, metric)
    if change not in CHANGES:
        raise InputError(f"'{change}' is no change of sentences", hint=", ".join(CHANGES))
    told, sign = CHANGES[change]
    ranges = {name: kept[name] for name in RANGES if name in kept}
    (low, high), (base_low, base_high) = (
        asked_range(ranges, name) or (-math.inf, math.inf) for name in RANGES
    )
    numbers = _numbers(
        tracker,
        "sentences_changed",
        new=submission,
        base=base,
        metric=metric,
        sign=sign and sign * direction(metric),
        **{"from": low, "to": high, "base_from": base_low, "base_to": base_high},
    )
    page = "/compare" if change == "most" else "/tested"
    leads = address(page, new=submission, base=base, metric=metric, **ranges)
    state = {"base": base, "change": change, "metric": metric, **ranges}
    return Among(numbers, f"{told} since {base}", state, leads)


def _ordered(tracker: Tracker, submission: str, kept: Mapping[str, str]) -> Among:
    order = kept["order"]
    numbers = _numbers(
        tracker,
        "sentences_in_order",
        submission=submission,
        order=order,
        direction=direction(order),
    )
    leads = (
        address("/sentences", submission, order=order)
        if order in ORDERS or order in metrics()
        else f"{address('/submission', submission, metric=order)}#sentences"
    )
    return Among(numbers, f"by {order}", {"order": order}, leads)


def _numbers(tracker: Tracker, name: str, **parameters: str | float) -> list[int]:
    rows = listing(tracker.database, name, **parameters).rows
    found: list[int] = rows["sentence_no"].to_pylist()
    return found


READERS = {"relation": _missed, "pattern": _pattern, "change": _changed, "order": _ordered}
KEPT = (*READERS, *RANGES, "labels", "metric", "base")
"""What an address may say of the sentences among which one is looked at."""
