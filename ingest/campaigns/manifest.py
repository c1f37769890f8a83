"""Reading campaign.toml: what it may say, and which files make up a campaign."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from ...schema.errors import InputError
from ...schema.files import read_text
from ..analysers import ANALYSER_NAMES
from ..names import IDENTIFIER_RULE, SYSTEM_KINDS, is_identifier

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


def _kind(expected: str, fits: Callable[[Any], bool]) -> Kind:
    """Return what takes a value as it is where it fits, and tells what would fit where not."""

    def taken(value: object) -> Any:
        if not fits(value):
            raise ValueError(expected)
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


_PLACEHOLDER = re.compile(r"\{(\w+)\}")
PLACEHOLDERS = ("system", "team", "treebank", "iteration")
_TOML_LINE = re.compile(r"at line (\d+)")


@dataclass(frozen=True)
class Entry:
    """One file that an entry of the manifest names, with what the entry and its name say of it."""

    path: Path
    values: Mapping[str, Any]
    where: str
    """The entry's place as file:line."""


@dataclass(frozen=True)
class Manifest:
    """The content of a campaign.toml, its globs and placeholders resolved to files."""

    path: Path
    campaign: Mapping[str, Any]
    systems: list[Mapping[str, Any]]
    treebanks: list[Entry]
    references: list[Entry]
    submissions: list[Entry]
    human_scores: list[Entry]
    judgements: list[Entry]
    amr: list[Entry]
    graphs: list[Entry]


@dataclass(frozen=True)
class _Table:
    """A table of the manifest, its values checked."""

    section: str
    values: Mapping[str, Any]
    where: str


def read_manifest(path: Path) -> Manifest:
    """Return a manifest.

    Raises InputError (file:line) for broken TOML, unknown or missing keys, values of another kind,
    and entries that name no file.
    """
    text = read_text(path)
    try:
        content = tomllib.loads(text, parse_float=WrittenNumber)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = _TOML_LINE.search(str(error))
        raise InputError(
            f"this is not TOML: {error}",
            where=f"{path}:{line[1] if line else text.rstrip().count(chr(10)) + 1}",
            hint="text stands in quotes; [[submissions]] begins an entry",
        ) from None
    except ValueError as error:
        raise _error(str(path), f"a number is too long: {error}", "write it as text") from None
    for section in content:
        if section not in SECTIONS:
            where = f"{path}:{_line_of(text, section, 0)}"
            raise _error(where, f"there is no section '{section}'", f"it is one of {_SECTIONS}")
    if not isinstance(content.get("campaign"), dict):
        raise _error(str(path), "the section [campaign] is missing", "it needs at least an id")
    campaign = _checked(path, text, "campaign", content["campaign"], 0)
    files = {
        section: [
            file
            for table in _tables(path, text, content, section)
            for file in _resolve(path.parent, table)
        ]
        for section in FILE_SECTIONS
    }
    systems = [table.values for table in _tables(path, text, content, "systems")]
    return Manifest(path=path, campaign=campaign.values, systems=systems, **files)


_SECTIONS = ", ".join(SECTIONS)


def _tables(path: Path, text: str, content: Mapping[str, Any], section: str) -> list[_Table]:
    entries = content.get(section, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        where = f"{path}:{_line_of(text, section, 0)}"
        raise _error(where, f"'{section}' is not a list of tables", f"write [[{section}]]")
    return [_checked(path, text, section, entry, n) for n, entry in enumerate(entries)]


def _checked(path: Path, text: str, section: str, entry: Mapping[str, Any], number: int) -> _Table:
    where = f"{path}:{_line_of(text, section, number)}"
    kinds = SECTIONS[section]
    values = {}
    for key, value in entry.items():
        if key not in kinds:
            hint = f"keys: {', '.join(sorted(kinds))}"
            raise _error(where, f"[{section}] has no key '{key}'", hint)
        try:
            values[key] = kinds[key](value)
        except ValueError as error:
            message = f"{key} = {shown(value)} cannot be"
            raise _error(where, message, f"the key takes {error}") from None
    if REQUIRED[section] not in values:
        raise _error(where, f"[{section}] lacks the key '{REQUIRED[section]}'", "add it")
    return _Table(section, values, where)


def _line_of(text: str, section: str, number: int) -> int:
    """Return the line of a section's header, counted from 0; the first line where it has none."""
    header = re.compile(rf"^[ \t]*\[\[?[ \t]*{re.escape(section)}[ \t]*\]?\]", re.MULTILINE)
    places = [match.end() for match in header.finditer(text)]
    return text.count("\n", 0, places[number]) + 1 if number < len(places) else 1


def _resolve(folder: Path, table: _Table) -> Iterator[Entry]:
    pattern = str(PurePosixPath(table.values["path"]))
    for name in _PLACEHOLDER.findall(pattern):
        if name not in PLACEHOLDERS:
            hint = f"placeholders: {', '.join(PLACEHOLDERS)}"
            raise _error(table.where, f"'{{{name}}}' is no placeholder", hint)
    regex = re.compile(_pattern_to_regex(pattern))
    any_file = False
    for file in sorted(_glob(folder, _PLACEHOLDER.sub("*", pattern.replace("[", "[[]")))):
        relative = file.as_posix().removeprefix(folder.as_posix() + "/")
        match = regex.fullmatch(relative)
        if match:
            any_file = True
            yield Entry(file, {**_placed(match), **table.values}, table.where)
    if not any_file:
        raise _error(
            table.where,
            f"[{table.section}] names no file: {table.values['path']}",
            "paths are relative to the manifest; * stands for any part of a name",
        )


def _placed(match: re.Match[str]) -> dict[str, Any]:
    """Return what the placeholders stand for."""
    values: dict[str, Any] = match.groupdict()
    if "iteration" in values:
        values["iteration"] = int(values["iteration"])
    return values


def _glob(folder: Path, pattern: str) -> list[Path]:
    parts = PurePosixPath(pattern).parts
    while parts and parts[0] == "..":
        folder, parts = folder / "..", parts[1:]
    if PurePosixPath(pattern).is_absolute():
        folder, parts = Path(parts[0]), parts[1:]
    try:
        return [file for file in folder.glob("/".join(parts)) if file.is_file()]
    # No pattern, or one that is longer or deeper than any path: it names no file.
    except (ValueError, NotImplementedError, OSError, RecursionError):
        return []


def _pattern_to_regex(pattern: str) -> str:
    """Return a regex for a path: placeholders are named groups, ``*`` any part of a name."""
    seen: set[str] = set()
    pieces = []
    for part in re.split(r"(\{\w+\}|\*\*/|\*|\?)", pattern):
        placeholder = _PLACEHOLDER.fullmatch(part)
        if placeholder and placeholder[1] in seen:
            pieces.append(f"(?P={placeholder[1]})")
        elif placeholder:
            seen.add(placeholder[1])
            shape = "[0-9]{1,9}" if placeholder[1] == "iteration" else "[^/]+?"
            pieces.append(f"(?P<{placeholder[1]}>{shape})")
        else:
            pieces.append({"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}.get(part, re.escape(part)))
    return "".join(pieces)


def _error(where: str, message: str, hint: str) -> InputError:
    return InputError(message, where=where, hint=hint)
