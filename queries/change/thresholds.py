"""Thresholds as they are given: as NAME=LIMIT, or in a toml file."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...schema.errors import InputError
from ...schema.files import read_text
from ...schema.names import unknown_name

MAX_DROP, MIN = "max-drop", "min"
_SECTIONS = (MAX_DROP, MIN)
_KEYS = (*_SECTIONS, "significant", "non-inferior", "alpha", "minimum-n")
_SLICE = re.compile(r"[^\[]+\[[^(=]+=")
_FORM = 'write "dea[advcl]" = 2, or = { limit = 2, minimum-n = 30, undefined = "allow" }'


@dataclass(frozen=True)
class Threshold:
    """A limit of one measure, or of all that a name with wildcards matches."""

    kind: str
    """max-drop: how far the measure may get worse; min: how low it may be."""
    measure: str
    """As in the view submission_measures; * stands for any letters, as in dea[*]."""
    limit: float
    """In the measure's unit: points (hundredths) for scores of 0 to 1, bits for NIST, z."""
    allow_undefined: bool = False
    """Whether the gate passes where the measure is undefined."""
    minimum_n: int | None = None
    """It counts where the measure rests on so many sentences, or edges; None for the gate's own."""

    def __str__(self) -> str:
        """Return the threshold as it is given: max-drop dea[advcl]=2."""
        return f"{self.kind} {self.measure}={self.limit:g}"


@dataclass(frozen=True)
class ThresholdFile:
    """What a toml file says; None where it says nothing."""

    thresholds: Sequence[Threshold] = ()
    significant: bool | None = None
    alpha: float | None = None
    minimum_n: int | None = None
    non_inferior: bool | None = None


def parse_threshold(kind: str, text: str) -> Threshold:
    """Return a threshold given as NAME=LIMIT. Raises InputError for anything else."""
    name, separator, limit = text.rpartition("=")
    where = f"--{kind} '{text}'"
    try:
        number = float(limit)
    except ValueError:
        number = math.nan
    if not separator or not name.strip():
        raise InputError("it is not NAME=LIMIT", where=where, hint=f"as in --{kind} dea=0.5")
    return _threshold(kind, name, number, where)


def read_thresholds(path: Path) -> ThresholdFile:
    """Return what a toml file says. Raises InputError for what it must not say."""
    where = str(path)
    try:
        content = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"it is not TOML: {error}", where=where, hint=_FORM) from error
    unknown = sorted(set(content) - set(_KEYS))
    if unknown:
        raise InputError(
            f"'{unknown[0]}' means nothing here", where=where, hint=f"it may say {', '.join(_KEYS)}"
        )
    significant, alpha = content.get("significant"), content.get("alpha")
    non_inferior = content.get("non-inferior")
    for name, value in (("significant", significant), ("non-inferior", non_inferior)):
        if value is not None and not isinstance(value, bool):
            raise InputError(f"'{name}' is neither true nor false", where=where, hint=None)
    if alpha is not None and not (_is_number(alpha) and 0 < alpha < 1):
        raise InputError("'alpha' is no number between 0 and 1", where=where, hint=None)
    minimum_n = _count(content.get("minimum-n"), where)
    thresholds = [
        _from_toml(kind, name, value, where)
        for kind in _SECTIONS
        for name, value in _section(content, kind, where).items()
    ]
    return ThresholdFile(thresholds, significant, alpha, minimum_n, non_inferior)


def merged(
    from_file: Iterable[Threshold], own: Iterable[Threshold], allowed: Sequence[str] = ()
) -> list[Threshold]:
    """Return all thresholds: those given replace those of the file with the same kind and name.

    Measures that a name in ``allowed`` matches may be undefined.
    """
    by_measure = {(limit.kind, limit.measure): limit for limit in [*from_file, *own]}
    return [
        replace(
            limit,
            allow_undefined=limit.allow_undefined
            or any(matches(pattern, limit.measure) for pattern in allowed),
        )
        for limit in by_measure.values()
    ]


def of_measures(
    thresholds: Sequence[Threshold], of_both: Sequence[str], measures: Iterable[str]
) -> dict[tuple[str, str], Threshold]:
    """Return the threshold of each kind and measure, in their order.

    A name without wildcards goes before one with them, of those the longest; wildcards match what
    either submission has (``of_both``).

    Raises UnknownNameError where a name matches none of those nor, without wildcards, any measure
    in ``measures``.
    """
    chosen: dict[tuple[str, str], Threshold] = {}
    for threshold in thresholds:
        names = [name for name in of_both if matches(threshold.measure, name)]
        if not names and "*" not in threshold.measure and threshold.measure in measures:
            names = [threshold.measure]
        if not names:
            raise unknown_name(
                "measure",
                threshold.measure,
                of_both,
                message=f"neither submission has a measure '{threshold.measure}'",
                where=str(threshold),
                hint="'tracker show submission_measures' lists all",
            )
        for name in names:
            other = chosen.get((threshold.kind, name))
            if other is None or _precision(threshold) >= _precision(other):
                chosen[threshold.kind, name] = threshold
    return chosen


def matches(pattern: str, name: str) -> bool:
    """Return whether a name with wildcards matches; brackets stand for themselves.

    Slices are matched where the pattern names a label: ``dea[*]`` is all relations, and
    ``dea[domain=*]`` all values of a label.
    """
    if _SLICE.match(name) and "=" not in pattern:
        return False
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name, re.DOTALL) is not None


def _precision(threshold: Threshold) -> tuple[bool, int]:
    return "*" not in threshold.measure, len(threshold.measure)


def _threshold(
    kind: str,
    name: str,
    limit: float,
    where: str,
    *,
    allow_undefined: bool = False,
    minimum_n: int | None = None,
) -> Threshold:
    if not math.isfinite(limit):
        raise InputError("the limit is no number", where=where, hint=f"as in --{kind} dea=0.5")
    if kind == MAX_DROP and limit < 0:
        raise InputError(
            "a drop cannot be limited to less than 0",
            where=where,
            hint="0 allows no drop at all; --min sets a floor",
        )
    return Threshold(kind, name.strip(), limit, allow_undefined, minimum_n)


def _section(content: Mapping[str, Any], kind: str, where: str) -> Mapping[str, Any]:
    section = content.get(kind, {})
    if not isinstance(section, dict):
        raise InputError(f"'{kind}' is no table", where=where, hint=f"[{kind}], then {_FORM}")
    return section


def _from_toml(kind: str, name: str, value: Any, where: str) -> Threshold:
    limit, undefined, minimum_n = value, "fail", None
    place = f"{where}: [{kind}] {name}"
    if isinstance(value, dict):
        limit, undefined = value.get("limit"), value.get("undefined", "fail")
        minimum_n = _count(value.get("minimum-n"), place)
        unknown = sorted(set(value) - {"limit", "undefined", "minimum-n"})
        if unknown or undefined not in ("allow", "fail"):
            problem = f"'{unknown[0]}'" if unknown else f"undefined = '{undefined}'"
            raise InputError(f"{problem} means nothing here", where=place, hint=_FORM)
    if not _is_number(limit):
        raise InputError("the limit is no number", where=place, hint=_FORM)
    return _threshold(
        kind,
        name,
        float(limit),
        place,
        allow_undefined=undefined == "allow",
        minimum_n=minimum_n,
    )


def _count(value: Any, where: str) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InputError(
            "'minimum-n' is no number of sentences or edges", where=where, hint="minimum-n = 30"
        )
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
