"""What an evaluation log holds, whichever harness wrote it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...schema.errors import InputError
from ..formats import UserFile, is_number, parse_json
from ..records import UNSTORABLE

LONGEST_PARAM = 500
"""Characters of a parameter of a run; longer ones, such as templates, no page shows."""
HINT = "is it a whole evaluation log, as its harness wrote it?"


@dataclass(frozen=True)
class Chosen:
    """What a user says of a log: which part of it, and the columns of a plain table."""

    filter_name: str | None = None
    """Filter of the responses, where a log has several (lm-evaluation-harness)."""
    id_column: str | None = None
    text_column: str | None = None
    reference_column: str | None = None
    score_columns: Sequence[str] = ()


@dataclass(frozen=True)
class Sample:
    """One item of a task, and what a model made of it."""

    id: str
    line: int
    references: Sequence[str]
    """The texts that are right, of which the first is the reference."""
    outputs: Sequence[str | None]
    """What the model wrote; several where it was asked several times. None: nothing."""
    scores: Mapping[str, float | None] = field(default_factory=dict)
    """The harness's own scores, by metric: of the first output where it scores each."""
    further_scores: Sequence[Mapping[str, float | None]] = ()
    """Those of each other output; none where the harness scores the sample as a whole."""
    prompt: str | None = None
    content: str = ""
    """What else makes this the same item in every log, such as the harness's hash of it."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What else the log says of the item, such as subject or category: labels where they repeat."""


@dataclass(frozen=True)
class EvaluationLog:
    """One run of a model on a task."""

    source: Path
    harness: str
    samples: Sequence[Sample]
    task: str | None = None
    model: str | None = None
    better: Mapping[str, str] = field(default_factory=dict)
    """Which scores of a metric are better, higher or lower; higher where it is not named."""
    version: str | None = None
    """The version of the harness."""
    settings: str | None = None
    """What else makes its scores comparable, such as the filter of the responses."""
    params: Mapping[str, Any] = field(default_factory=dict)
    created_at: datetime | None = None


def objects(file: UserFile) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the objects of a JSONL file with their lines. Raises InputError (file:line)."""
    for line, text in file.filled_lines():
        value = parse_json(text, file.where(line), HINT)
        if not isinstance(value, dict):
            raise InputError("the line is no object", where=file.where(line), hint=HINT)
        yield line, value


def first_object(file: UserFile) -> Mapping[str, Any]:
    """Return the object in the first line of a file; an empty one where there is none."""
    for _, text in file.filled_lines():
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}
    return {}


def field_of(item: Mapping[str, Any], name: str, where: str) -> Any:
    """Return a field that every item has. Raises InputError where this one has not."""
    if name not in item:
        raise InputError(f"the item has no '{name}'", where=where, hint=HINT)
    return item[name]


def text_of(value: Any, where: str) -> str | None:
    """Return a value as text: as JSON where it is no text; None for null.

    Raises InputError for text that cannot be stored.
    """
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if UNSTORABLE.search(text):
        raise InputError(
            "the text holds a null character or half a surrogate pair",
            where=where,
            hint="write whole characters",
        )
    return text


def texts_of(value: Any, where: str) -> list[str]:
    """Return the texts of a list, or the only one, without those that are null."""
    values = value if isinstance(value, list) else [value]
    return [text for text in (text_of(one, where) for one in values) if text is not None]


def facts_of(value: Any) -> Mapping[str, Any]:
    """Return what an object says of an item but for its lists; nothing of what is no object."""
    if not isinstance(value, Mapping):
        return {}
    return {name: fact for name, fact in value.items() if not isinstance(fact, list)}


def score_of(value: Any) -> float | None:
    """Return a score that is a number or yes or no; None for any other value and for NaN."""
    if isinstance(value, bool):
        return float(value)
    return float(value) if is_number(value) and math.isfinite(value) else None


def moment_of(value: Any) -> datetime | None:
    """Return a moment that is written in ISO 8601 or in seconds since 1970; None for another."""
    try:
        if isinstance(value, str) and not value.replace(".", "").isdecimal():
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return datetime.fromtimestamp(float(value), UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def flat(values: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return the values of nested objects by their paths, without null, empty and long ones."""
    named: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            named |= flat(value, f"{before}{name}.")
        elif value not in (None, [], ""):
            is_plain = isinstance(value, str | int | float | bool)
            named[f"{before}{name}"] = value if is_plain else json.dumps(value, ensure_ascii=False)
    return {name: value for name, value in named.items() if len(str(value)) <= LONGEST_PARAM}
