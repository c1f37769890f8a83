"""Human scores of whole systems, as WMT publishes them: language pair, system, z-score."""

from __future__ import annotations

import math
import re
from pathlib import Path

from sr_tracker.ingest.records import number_in
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_text

PAIR, SYSTEM, HUMAN = _COLUMNS = ("LP", "SYSTEM", "HUMAN")
_SEPARATOR = re.compile(r"[,\s]+")


def read_system_scores(path: Path) -> dict[str, dict[str, float]]:
    """Return human scores by language pair (en-fi) and system, as in WMT's ``DA-syslevel.csv``.

    Its first line names the columns LP, SYSTEM and HUMAN in any order; others are passed over.
    Columns are separated by blanks, tabs or commas.

    Raises InputError (file:line) for missing columns, scores that are no finite numbers, and a
    system that is given twice for a language pair.
    """
    lines = [line.strip() for line in read_text(path).split("\n")]
    names = _SEPARATOR.split(lines[0].upper())
    missing = [name for name in _COLUMNS if name not in names]
    if missing:
        raise InputError(
            f"there is no column {missing[0]}",
            where=f"{path}:1",
            hint=f"the first line names the columns: {' '.join(_COLUMNS)}",
        )
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line:
            continue
        values = _SEPARATOR.split(line)
        if len(values) != len(names):
            raise InputError(
                f"the line has {len(values)} values, the first line names {len(names)} columns",
                where=f"{path}:{number}",
                hint="names of systems have no blanks and no commas",
            )
        row = dict(zip(names, values, strict=True))
        systems = found.setdefault(row[PAIR], {})
        if row[SYSTEM] in systems:
            raise InputError(
                f"'{row[SYSTEM]}' is scored twice for {row[PAIR]}",
                where=f"{path}:{number}",
                hint="keep one of them",
            )
        systems[row[SYSTEM]] = _score(row[HUMAN], f"{path}:{number}")
    if not found:
        raise InputError("the file holds no score", where=str(path), hint="is it complete?")
    return found


def _score(text: str, where: str) -> float:
    value = number_in(text)
    if math.isnan(value):
        raise InputError(f"'{text}' is not a score", where=where, hint="scores are numbers")
    return value
