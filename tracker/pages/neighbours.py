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
from . import Request
from .addresses import address
from .comparison import range_of
from .occurrences import ORDERS

CHANGES = {"lost": ("that lost", -1), "gained": ("that gained", 1), "most": ("by their change", 0)}
"""What sentences of a comparison did, in words and as the sign of what they won."""
RANGES = ("a", "b")
"""Ranges of the scores of both, as the page of the comparison has them."""


@dataclass(frozen=True)
class Among:
    """Some sentences of a submission in their order, and how an address names them."""

    numbers: Sequence[int]
    words: str
    state: Mapping[str, str]
    leads: str
    """The page that lists them."""


def among(tracker: Tracker, submission: str, request: Request) -> Among | None:
    """Return the sentences that an address names; None where it names none, or no submission."""
    chosen = {name: request[name] for name in PARAMETERS if request.get(name)}
    if "base" not in chosen:  # it was chosen to look at none
        chosen.pop("change", None)
    reader = next((READERS[name] for name in READERS if name in chosen), None)
    return reader(tracker, submission, chosen) if reader and submission else None


def _missed(tracker: Tracker, submission: str, chosen: Mapping[str, str]) -> Among:
    relation = chosen["relation"]
    numbers = _numbers(tracker, "sentences_missing", submission=submission, deprel=relation)
    state = {"relation": relation}
    leads = address("/missed", submission, **state)
    return Among(numbers, f"that miss {relation}", state, leads)


def _pattern(tracker: Tracker, submission: str, chosen: Mapping[str, str]) -> Among:
    state = {name: chosen[name] for name in ("pattern", "labels", "metric") if name in chosen}
    numbers = pattern_order(
        tracker.database,
        submission,
        chosen["pattern"],
        labels=chosen.get("labels"),
        metric=chosen.get("metric") or sentence_metrics(tracker.database, [submission])[0],
    )
    leads = address("/examples", submission, **state)
    return Among(numbers, f"with {chosen['pattern']}", state, leads)


def _changed(tracker: Tracker, submission: str, chosen: Mapping[str, str]) -> Among:
    change, base = chosen["change"], tracker.resolve(chosen.get("base", ""))
    metric = chosen.get("metric") or sentence_metrics(tracker.database, [submission, base])[0]
    check_metric(tracker.database, metric)
    if change not in CHANGES:
        raise InputError(f"'{change}' is no change of sentences", hint=", ".join(CHANGES))
    words, sign = CHANGES[change]
    ranges = {name: chosen[name] for name in RANGES if name in chosen}
    (low, high), (base_low, base_high) = (
        range_of(ranges, name, metric) or (-math.inf, math.inf) for name in RANGES
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
    return Among(numbers, f"{words} since {base}", state, leads)


def _ordered(tracker: Tracker, submission: str, chosen: Mapping[str, str]) -> Among:
    order = chosen["order"]
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
    numbers: list[int] = rows["sentence_no"].to_pylist()
    return numbers


READERS = {"relation": _missed, "pattern": _pattern, "change": _changed, "order": _ordered}
PARAMETERS = (*READERS, *RANGES, "labels", "metric", "base")
"""What an address may say of the sentences among which one is looked at."""
