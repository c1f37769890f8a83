"""Judgements in JSON objects inside each other → the columns of the plain layout."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sr_tracker.ingest.records import Records
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_text

LEVELS = ("sent_id", "annotator", "criterion")
_Leaf = tuple[tuple[str, ...], Any]


def read_objects(path: Path, levels: Sequence[str]) -> tuple[Records, list[str]]:
    """Return the judgements of a JSON file, and what to know of what was left out.

    Its objects name, from the outside in, what ``levels`` says; inside are the ratings. A criterion
    that holds text alone, such as feedback, is left out, as is null. The line of a record is 1.

    Raises InputError (file) for what is no JSON, for objects of another depth and for names that
    an object holds twice.
    """
    try:
        content = json.loads(read_text(path), object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON: {error}", where=str(path), hint="correct it") from None
    leaves = list(_leaves(content, len(levels), (), path, levels))
    remarks = _remarks(leaves) if levels[-1] == "criterion" else Counter()
    kept = [leaf for leaf in leaves if leaf[1] is not None and leaf[0][-1] not in remarks]
    columns: dict[str, list[str | None]] = {
        name: [names[level] for names, _ in kept] for level, name in enumerate(levels)
    }
    columns["score"] = [value if isinstance(value, str) else json.dumps(value) for _, value in kept]
    notes = [
        f"'{name}' holds text, no ratings: {count} left out ({path})"
        for name, count in sorted(remarks.items())
    ]
    empty = sum(value is None for _, value in leaves)
    notes += [f"{empty} ratings are null: left out ({path})"] * bool(empty)
    return Records(str(path), columns, [1] * len(kept)), notes


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = Counter(name for name, _ in pairs)
    twice = [name for name, times in names.items() if times > 1]
    if twice:
        raise ValueError(f"an object holds '{twice[0]}' twice")
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _leaves(
    value: Any, depth: int, names: tuple[str, ...], path: Path, levels: Sequence[str]
) -> Iterator[_Leaf]:
    """Yield what lies ``depth`` objects deep, with the names on the way."""
    inside = " of ".join(f"'{name}'" for name in reversed(names)) or "the file"
    if depth and isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, depth - 1, (*names, name), path, levels)
    elif depth or isinstance(value, dict | list):
        raise InputError(
            f"{inside} holds {_kind(value)} where {'an object' if depth else 'a rating'} should be",
            where=str(path),
            hint=f"the levels are {', '.join(levels)}: --levels says what the objects name",
        )
    else:
        yield names, value


def _kind(value: Any) -> str:
    kinds = ((dict, "an object"), (list, "a list"), (str, "text"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "a value")


def _remarks(leaves: Sequence[_Leaf]) -> Counter[str]:
    """Return the criteria of which no value is a number, with how many values they have."""
    texts = Counter(names[-1] for names, value in leaves if value is not None)
    rated = {names[-1] for names, value in leaves if _is_rating(value)}
    return Counter({name: count for name, count in texts.items() if name not in rated})


def _is_rating(value: Any) -> bool:
    if not isinstance(value, str):
        return isinstance(value, int | float)
    try:
        float(value)
    except ValueError:
        return False
    return True
