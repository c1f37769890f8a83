"""Columns of views that there are for each metric: lines of their files that name one."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from ...schema.statements import quoted
from .metric import Metric
from .registry import metrics, packages, tabled_metrics


def for_each_metric(text: str) -> str:
    """Return a view's text with the lines that name ``{metric}`` once for each metric.

    Lines that follow each other stay together. They stand for the metrics that 'tracker score'
    computes and the external ones; a line with ``{position}`` for all there are, one with
    ``{part_score}`` for all that keep statistics of their parts in part_match, one that names
    ``{headline}`` instead for those seen at first sight. Names in braces are filled in from the
    metric.
    """
    written: list[str] = []
    for named, lines in groupby(text.split("\n"), key=_names_a_metric):
        block = "\n".join(lines)
        written += (
            [block.format(**_facts(metric)) for metric in _meant(block)] if named else [block]
        )
    return "\n".join(written)


def _names_a_metric(line: str) -> bool:
    return "{metric}" in line or "{headline}" in line


def _meant(block: str) -> list[Metric]:
    if "{headline}" in block:
        return [metric for metric in tabled_metrics() if metric.headline]
    if "{position}" in block:
        return list(metrics().values())
    if "{part_score}" in block:
        every = metrics().values()
        return [
            metric
            for metric in every
            if metric.parts and metric.parts.statement == "compared_parts"
        ]
    return tabled_metrics()


def _facts(metric: Metric) -> dict[str, Any]:
    """Return what may stand in braces; the texts as they are within SQL's quotes."""
    facts = {
        "metric": metric.name,
        "headline": metric.name,
        "position": list(metrics()).index(metric.name),
        "label": quoted(metric.heading)[1:-1],
        "meaning": quoted(metric.column_comment)[1:-1],
        "comment": metric.column_comment,
        "better": metric.better,
        "unit": metric.unit,
        "lowest": metric.lowest,
        "highest": metric.highest,
        "missing": metric.missing,
        "has_formula": metric.formula is not None,
        "kind": quoted(metric.parts.kind)[1:-1] if metric.parts else None,
        "uses_several": bool(metric.several),
        "is_of_package": metric.name in packages(),
        "part_score": metric.parts.score if metric.parts else None,
    }
    return {name: "NULL" if value is None else value for name, value in facts.items()}
