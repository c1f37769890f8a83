"""Checks of plain text: whether outputs keep numbers, names and words, loop, stop short or copy."""

from __future__ import annotations

from typing import Any

from ...schema.statements import statement
from ..functions.sql_function import SqlFunction, later
from . import metric

_FOUND = "(sums[1] + sums[3]) / nullif(sums[2] + sums[4], 0)"


def _check(name: str, *statements: str, **facts: Any) -> metric.Metric:
    of_checks = {"default": metric.PLAIN_TEXT, "check": True, "missing": None, "usual": False}
    script = "\n".join(map(statement, statements))
    return metric.scored_at_once(name, script, **{**of_checks, **facts})


def _items(name: str, items: str, *more: str, **facts: Any) -> metric.Metric:
    """Return a metric of what output and reference should both have."""
    meaning = f"share of the {items} of output and reference that the other has"
    return _check(
        name,
        f"match_{name}",
        *more,
        "score_items_found",
        description=meaning,
        meaning=f"{meaning}, 0 to 1",
        formula=metric.Formula(metric.STATISTICS, _FOUND),
        missing=0.0,
        **facts,
    )


def _fault(name: str, is_so: str, **facts: Any) -> metric.Metric:
    """Return a check that each output passes, or not: its score is the share of those that fail."""
    return _check(
        name,
        f"check_{name}",
        "score_checked",
        description=f"share of outputs that {is_so}",
        meaning=f"share of outputs that {is_so}, 0 to 1",
        formula=metric.SENTENCE_MEAN,
        better=metric.LOWER,
        note="lower is better",
        **facts,
    )


METRICS = (
    _items(
        "numbers",
        "different numbers",
        "part_items_found",
        label="Numbers",
        parts=metric.Parts("number", "Numbers: recall and precision", 2, metric.SHARE),
        place=200,
    ),
    _items(
        "spans",
        "different names, placeholders, addresses and tags",
        "part_items_found",
        label="Spans",
        title="names and placeholders",
        parts=metric.Parts("span", "Names and placeholders: recall and precision", 2, metric.SHARE),
        place=201,
    ),
    _fault("empty", "are missing or blank", label="Empty", title="empty outputs", place=202),
    _fault("repetition", "repeat themselves as references do not", label="Repetition", place=203),
    _fault("truncation", "end early", label="Truncation", place=204),
    _fault(
        "copied_source",
        "are their source",
        label="Copied",
        title="copies of the source",
        place=205,
        default=metric.SOURCES,
    ),
    _fault(
        "wrong_language",
        "are surely in another language than the test set",
        label="Language",
        title="wrong language",
        place=206,
        functions=[
            SqlFunction(
                "in_another_language",
                later("language", "in_another_language"),
                ["VARCHAR", "VARCHAR"],
                "DOUBLE",
            ),
            SqlFunction(
                "is_identifiable", later("language", "is_identifiable"), ["VARCHAR"], "BOOLEAN"
            ),
        ],
        needs=later("language", "identifier_versions"),
        on_request=True,
    ),
    _items(
        "words",
        "words",
        label="Words",
        title="F-score of words",
        parts=metric.Parts("frequency of words", "Words by frequency in references", 4, _FOUND),
        place=98,
        check=False,
        on_request=True,
    ),
)
