"""Marked errors: their form in files, their type, and what they cost by named schemes."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import pyarrow as pa

from ...schema.errors import InputError, check_choices
from ..formats import is_number
from ..records import Placed

UNWEIGHTED = "none"
HIGHEST_RATING = 100


@dataclass(frozen=True)
class WeightScheme:
    """What an error of each severity and category costs."""

    severities: dict[str, float]
    anywhere: dict[str, float]
    """Categories, or the last part of one, that cost the same at any severity that costs at all."""
    within: dict[tuple[str, str], float]
    """Categories, or the last part of one, that cost otherwise at one severity."""

    def weight(self, category: str | None, severity: str) -> float | None:
        """Return what an error costs; None for a severity that the scheme does not know."""
        if self.severities.get(severity) == 0:
            return 0.0
        names = _names(category)
        for name in names:
            if name in self.anywhere:
                return self.anywhere[name]
        for name in names:
            if (name, severity) in self.within:
                return self.within[name, severity]
        return self.severities.get(severity)


WEIGHTS = {
    "wmt": WeightScheme(
        {"minor": 1.0, "major": 5.0, "critical": 5.0, "neutral": 0.0},
        {
            "non-translation": 25.0,
            "source issue": 0.0,
            "source error": 0.0,
            "accuracy/creative reinterpretation": 0.0,
        },
        {("fluency/punctuation", "minor"): 0.1},
    ),
    "wmt21": WeightScheme(
        {"minor": 1.0, "major": 5.0, "critical": 5.0, "neutral": 0.0},
        {"non-translation": 25.0},
        {("fluency/punctuation", "minor"): 0.1},
    ),
    "esa23": WeightScheme(
        {"minor": 1.0, "major": 5.0, "critical": 25.0, "neutral": 0.0, "undecided": 0.0},
        {"punctuation": 0.1},
        {},
    ),
}
"""``wmt``: Freitag et al. 2021, Table 4, as the scores of WMT's metrics task are made since 2022:
source issues and creative reinterpretations cost nothing. ``wmt21``: the same table as it was used
in 2020 and 2021, when errors of the source counted. ``esa23``: the MQM campaign that Kocmi et
al. (2024) ran in Appraise beside ESA: punctuation costs 0.1 at any severity, critical errors 25."""


def weight_scheme(name: str) -> WeightScheme | None:
    """Return a named scheme, None for ``none``. Raises InputError for an unknown name."""
    if name == UNWEIGHTED:
        return None
    check_choices(("scheme of weights", name, (*WEIGHTS, UNWEIGHTED)))
    return WEIGHTS[name]


def _names(category: str | None) -> tuple[str, ...]:
    if category is None:
        return ()
    whole = category.lower().removesuffix("/-").rstrip("!")
    return whole, whole.rpartition("/")[2]


MQM = "mqm"
ESA = "esa"
CONTRASTIVE_ESA = "cesa"
XSTS = "xsts"
"""Likeness of meaning from 1 to 5 (Licht et al. 2022)."""
FIELD = "error_spans"
SPAN = pa.struct(
    [
        ("start_character", pa.int32()),
        ("end_character", pa.int32()),
        ("on_source", pa.bool_()),
        ("category", pa.string()),
        ("severity", pa.string()),
        ("weight", pa.float64()),
    ]
)
_HINT = (
    'write [] or [{"start_character": 0, "end_character": 4, "severity": "major"}, …]: characters '
    "from 0, the end is the first one after the error; null where it has no place"
)


class Span(TypedDict):
    """A marked error, as a file of any layout is read."""

    start_character: int | None
    end_character: int | None
    on_source: bool
    category: str | None
    severity: str
    weight: float | None


def marked(
    start: int | None,
    end: int | None,
    category: str | None,
    severity: str,
    weights: WeightScheme | None,
    where: str,
    *,
    on_source: bool = False,
) -> Span:
    """Return an error with its weight; names are in lower case.

    Raises InputError where the scheme does not say what its severity costs.
    """
    category = category.lower() if category else None
    severity = severity.lower()
    weight = None if weights is None else weights.weight(category, severity)
    if weights is not None and weight is None:
        raise InputError(
            f"'{severity}' is a severity that the weights do not know",
            where=where,
            hint=f"severities: {', '.join(weights.severities)}; --weights names another scheme",
        )
    return Span(
        start_character=start,
        end_character=end,
        on_source=on_source,
        category=category,
        severity=severity,
        weight=weight,
    )


def is_mqm(criterion: str) -> bool:
    """Return whether ratings on a criterion are minus weights of errors: mqm, mqm_2 and so on."""
    return criterion.strip().lower().startswith(MQM)


def off_scale(score: float, criterion: str | None) -> tuple[str, str] | None:
    """Return what is wrong with a raw score and what to do; None where nothing is."""
    if criterion is not None and is_mqm(criterion):
        hint = "it is minus the sum of the weights of the errors"
        return (f"on {criterion} is above 0", hint) if score > 0 else None
    if criterion is not None and criterion.strip().lower().startswith(XSTS):
        hint = "it is a rating of 1, 2, 3, 4 or 5; name the criterion otherwise for another scale"
        return None if score in range(1, 6) else (f"on {criterion} is none of 1 to 5", hint)
    if 0 <= score <= HIGHEST_RATING:
        return None
    scale = f"0 to {HIGHEST_RATING}"
    return f"is outside {scale}", f"raw ratings are stored on a scale from {scale}: convert them"


def score_of(spans: Sequence[Span]) -> str:
    """Return the MQM score of an output as text: minus the sum of its errors' weights.

    It is rounded to nine decimals: what costs as much has the same score to the last digit.
    """
    return repr(0.0 - round(math.fsum(span["weight"] or 0.0 for span in spans), 9))


def error_spans(records: Placed, values: Sequence[str | None]) -> pa.Array:
    """Return the marked errors of each record; NULL where the protocol marks none.

    Raises InputError (file:line) for what is no list of errors, a place that cannot be, a severity
    that is empty and a weight below 0.
    """
    texts = [value for value in values if value is not None]
    try:
        lists = iter(json.loads(f"[{','.join(texts)}]", parse_constant=no_constant))
        spans_of = [None if value is None else next(lists) for value in values]
        whole = next(lists, None) is None
    except (ValueError, RecursionError, StopIteration):
        whole, spans_of = False, []
    if not whole:
        spans_of = [_read(records, n, value) for n, value in enumerate(values)]
    rows = [
        None if spans is None else _checked(records, record, spans)
        for record, spans in enumerate(spans_of)
    ]
    return pa.array(rows, pa.list_(SPAN))


def no_constant(name: str) -> None:
    """Refuse NaN and infinity, which are no JSON."""
    raise ValueError(f"{name} is no number")


def _read(records: Placed, record: int, value: str | None) -> Any:
    """Return one record's errors, to name the line of the first that is broken."""
    if value is None:
        return None
    try:
        return json.loads(value, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"the errors are not JSON: {error}", where=records.where(record), hint=_HINT
        ) from None


def _checked(records: Placed, record: int, spans: Any) -> list[dict[str, Any]]:
    if not isinstance(spans, list) or not all(isinstance(span, dict) for span in spans):
        raise InputError(
            "the errors are not a list of objects", where=records.where(record), hint=_HINT
        )
    checked = []
    for span in spans:
        unknown = sorted(set(span) - set(Span.__annotations__))
        start, end = span.get("start_character"), span.get("end_character")
        placed = start is None and end is None
        placed |= _is_place(start) and _is_place(end) and start <= end
        severity, weight = span.get("severity"), span.get("weight")
        category, on_source = span.get("category"), span.get("on_source", False)
        fault = (
            f"'{unknown[0]}' is no field of an error"
            if unknown
            else f"an error cannot be from {start!r} to {end!r}"
            if not placed
            else "an error has no severity"
            if not isinstance(severity, str) or not severity.strip()
            else "an error's category or side is of another type"
            if not isinstance(category, str | None) or not isinstance(on_source, bool)
            else f"an error's weight cannot be {weight!r}"
            if weight is not None and not (is_number(weight) and weight >= 0)
            else None
        )
        if fault:
            raise InputError(fault, where=records.where(record), hint=_HINT)
        checked.append(
            {
                "start_character": start,
                "end_character": end,
                "on_source": on_source,
                "category": category.lower() if category else None,
                "severity": str(severity).strip().lower(),
                "weight": None if weight is None else float(weight),
            }
        )
    return checked


def _is_place(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
