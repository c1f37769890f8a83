"""What campaign.toml may say: the keys of each section and what their values are."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from ..analysers import ANALYSER_NAMES
from .kinds import SYSTEM_KINDS
from .registering import IDENTIFIER_RULE, is_identifier

Kind = Callable[[object], Any]


class WrittenNumber(float):
    """A number that remembers how it was written: the version 2.10 is not 2.1."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def __new__(cls, text: str) -> WrittenNumber:
        """Return the number that a text stands for."""
        return super().__new__(cls, text)


def _text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("text")
    if isinstance(value, int) and abs(value) >= 2**63:
        raise ValueError("text in quotes")
    return value.text if isinstance(value, WrittenNumber) else str(value)


def _identifier(value: object) -> str:
    text = _text(value)
    if not is_identifier(text):
        raise ValueError(IDENTIFIER_RULE)
    return text


def _kind(told: str, fits: Callable[[Any], bool]) -> Kind:
    """Return what takes a value as it is where it fits, and tells what would fit where not."""

    def taken(value: object) -> Any:
        if not fits(value):
            raise ValueError(told)
        return value

    return taken


def _one_of(names: Collection[str]) -> Kind:
    return _kind(f"one of {', '.join(names)}", lambda value: value in names)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


_number = _kind(
    f"a whole number, at most {2**31 - 1}",
    lambda value: _is_whole(value) and abs(value) < 2**31,
)
_year = _kind("a year from 1900 to 2999", lambda value: _is_whole(value) and 1900 <= value <= 2999)
_switch = _kind("true or false", lambda value: isinstance(value, bool))
_texts = _kind("a list of texts", lambda value: isinstance(value, list) and _are_texts(value))
_names = _kind(
    "a table of texts", lambda value: isinstance(value, dict) and _are_texts(value.values())
)


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("a table")
    try:
        json.dumps(value, default=str, allow_nan=False)
    except ValueError:
        raise ValueError("a table of texts and finite numbers") from None
    return value


def _time(value: object) -> datetime:
    """Return a point in time; one without a zone is taken as UTC, a date as its beginning."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError("a date or a date with a time, such as 2019-10-13 11:27:00") from None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not isinstance(value, datetime):
        raise ValueError("a date or a date with a time, such as 2019-10-13 11:27:00")
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def shown(value: object) -> str:
    """Return a value as a message quotes it, at most 80 characters of it."""
    try:
        text = repr(value)
    except ValueError:  # Python does not write a number of more than 4,300 digits
        return "a huge number"
    return text if len(text) <= 80 else f"{text[:80]}…"


SECTIONS: Mapping[str, Mapping[str, Kind]] = {
    "campaign": {"id": _identifier, "name": _text, "year": _year, "description": _text},
    "treebanks": {
        **dict.fromkeys(("path", "id", "language", "version", "split", "scheme"), _text),
        "without": _texts,
    },
    "references": dict.fromkeys(("path", "id", "language"), _text),
    "systems": {
        **dict.fromkeys(("team", "description", "family"), _text),
        "id": _identifier,
        "kind": _one_of(SYSTEM_KINDS),
    },
    "submissions": {
        **dict.fromkeys(("path", "system", "team", "treebank", "track", "parent"), _text),
        **dict.fromkeys(("reference_form", "id_column", "text_column"), _text),
        "analyser": _one_of(ANALYSER_NAMES),
        "model": _text,
        "iteration": _number,
        "created_at": _time,
        "params": _table,
        "tags": _table,
        "accept_mismatch": _switch,
    },
    "human_scores": {
        **dict.fromkeys(("path", "system", "treebank", "submission", "criterion"), _text),
        "columns": _names,
    },
    "judgements": {
        **dict.fromkeys(("path", "system", "treebank", "submission", "criterion", "layout"), _text),
        **dict.fromkeys(("columns", "kinds"), _names),
        **dict.fromkeys(("register", "raw"), _switch),
        **dict.fromkeys(("annotators", "ignore", "levels"), _texts),
        "scales": _text,
    },
    "amr": {
        **dict.fromkeys(("path", "id", "language", "version", "split"), _text),
        "accept_broken": _switch,
    },
    "graphs": {
        **dict.fromkeys(("path", "parser", "submission", "system", "team", "treebank"), _text),
        **dict.fromkeys(("references", "quality_column"), _text),
        **dict.fromkeys(("accept_broken", "accept_mismatch"), _switch),
        "iteration": _number,
    },
}
FILE_SECTIONS = (
    *("treebanks", "references", "submissions", "human_scores", "judgements"),
    *("amr", "graphs"),
)
"""The sections whose entries name files."""
REQUIRED = {"campaign": "id", "systems": "id"} | dict.fromkeys(FILE_SECTIONS, "path")
