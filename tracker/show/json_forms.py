"""Comparisons and rankings as plain values for JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pyarrow as pa

from ...queries.change.comparison.model import Change, Comparison, SentenceChange
from ...queries.change.comparison.ranking import Pair, Rankings
from .findings.sentences import tree_of_changes
from .model import plain_text
from .text.dependencies import tree_lines


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Return everything that a comparison says, as dictionaries, lists, texts and numbers.

    Dates are in ISO 8601. ``headline`` has the sentences that sum it up; every change has
    ``significant`` and ``worse`` beside its numbers.
    """
    content: dict[str, Any] = {"headline": list(comparison.verdict)}
    for field in (field for field in dataclasses.fields(comparison) if field.repr):
        content[field.name] = _plain(getattr(comparison, field.name), comparison.settings.alpha)
    return content


def rankings_as_json(rankings: Rankings) -> dict[str, Any]:
    """Return rankings of several submissions, one per metric, as plain values."""
    alpha = rankings.settings.alpha
    return {name: _plain(getattr(rankings, name), alpha) for name in ("settings", "rankings")}


def result_as_json(result: Any) -> dict[str, Any]:
    """Return a result, an instance of a dataclass, as plain values by the names of its fields."""
    plain: dict[str, Any] = _plain(result, 0.0)
    return plain


def _plain(value: Any, alpha: float) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        content = {
            field.name: _plain(getattr(value, field.name), alpha)
            for field in dataclasses.fields(value)
        }
        if isinstance(value, Change):
            content |= {"significant": value.is_significant(alpha), "worse": value.is_worse}
        if isinstance(value, SentenceChange):
            content = {
                name: content[name] for name in content if name not in ("words", "base_found")
            }
            content["tree"] = _tree(value)
        if isinstance(value, Pair):
            content["significant"] = value.is_significant(alpha)
        return content
    if isinstance(value, pa.Table):
        return value.to_pylist()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: _plain(item, alpha) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item, alpha) for item in value]
    return value


def _tree(change: SentenceChange) -> str | None:
    """Return the reference's tree as text, a word a line."""
    lines = tree_lines(tree_of_changes(change.words, change.base_found))
    return "\n".join(plain_text(line).rstrip() for line in lines) or None
