"""Standardised judgements and the annotators' means and deviations → the ratings they were."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from ...schema.errors import InputError
from ..formats import Column, Columns, Format, Table, UserFile, read_file
from ..records import Records, number_in, read_records

Scales: TypeAlias = Mapping[str, tuple[float, float]]
"""Mean and standard deviation of each annotator's ratings."""

COLUMNS = Columns(
    "scales", [Column(name, required=True) for name in ("annotator", "mean", "deviation")]
)
_PRINTED = re.compile(r'\[1\]\s+(?:"([^"]*)"|(\S+))\s*')
_UNDEFINED = ("NA", "NaN")
"""How R writes what is undefined."""
_WHOLE = 0.01
_DIGITS = 6


def read_scales(path: Path) -> Scales:
    """Return the means and deviations of a file.

    It is a table (CSV, TSV, JSONL, Parquet) with the columns annotator, mean and deviation, or what
    R prints: three lines for each annotator, ``[1] "A1"``, ``[1] 67.4`` and ``[1] 12.5``. ``NA`` is
    the mean of an annotator without ratings, who has no scale, and the deviation of a single
    rating: 0. Raises InputError (file:line) for anything else, and for an annotator with two
    scales.
    """
    table = COLUMNS.table(read_file(path, _FORMATS))
    rows = zip(*map(table.texts, COLUMNS.fields), strict=True)
    scales: dict[str, tuple[float, float]] = {}
    for row, (annotator, mean, deviation) in enumerate(rows):
        where = table.where(row)
        if mean in _UNDEFINED and deviation in _UNDEFINED:
            continue
        scale = _number(mean, where), 0.0 if deviation in _UNDEFINED else _number(deviation, where)
        if annotator is None or scale[1] < 0:
            raise InputError(
                "the row has no annotator, or a deviation below 0", where=where, hint="correct it"
            )
        if scales.setdefault(annotator, scale) != scale:
            raise InputError(
                f"'{annotator}' has two scales", where=where, hint="keep the one of this file"
            )
    if not scales:
        raise InputError("the file holds no scales", where=str(path), hint="is it the right one?")
    return scales


def ratings(
    table: Table,
    annotators: Sequence[str | None],
    z_scores: Sequence[float | None],
    scales: Scales,
) -> tuple[list[float], list[str]]:
    """Return the ratings that were standardised, and what to know of them.

    mean + z-score times deviation; the mean where that is 0. Where all are nearly whole numbers
    they are whole numbers, else they keep six decimals: the scales are rounded.

    Raises InputError (file:line) for an annotator without scale, and for a row without z-score.
    """
    raw = []
    for row, (annotator, z_score) in enumerate(zip(annotators, z_scores, strict=True)):
        scale = scales.get(str(annotator))
        if scale is None:
            raise InputError(
                f"the file of means and deviations lacks '{annotator}'",
                where=table.where(row),
                hint="give the file that belongs to these z-scores",
            )
        mean, deviation = scale
        if z_score is None and deviation:
            raise InputError("'score' is empty", where=table.where(row), hint="give a z-score")
        raw.append(mean + deviation * (z_score or 0.0))
    if all(abs(rating - round(rating)) < _WHOLE for rating in raw):
        return [float(round(rating)) for rating in raw], []
    note = "the ratings behind the z-scores are not whole numbers: are these means and deviations "
    return [round(rating, _DIGITS) for rating in raw], [f"{note}theirs?"]


def _printed(file: UserFile) -> Records:
    """Return what R prints as a table."""
    values, lines = [], []
    for line, text in file.filled_lines():
        match = _PRINTED.fullmatch(text)
        if match is None:
            raise InputError(
                f"'{text[:60]}' is neither an annotator nor a number as R prints them",
                where=file.where(line),
                hint="a table has a name that ends in .csv, .tsv, .jsonl or .parquet",
            )
        values.append(match[1] if match[2] is None else match[2])
        lines.append(line)
    if len(values) % 3:
        raise InputError(
            "the file breaks off: an annotator has a mean and a deviation",
            where=file.where(lines[-1]),
            hint="fetch or make it again",
        )
    columns = {
        name: [value or None for value in values[place::3]]
        for place, name in enumerate(COLUMNS.fields)
    }
    return Records(file.source, columns, lines[::3])


def _number(value: str | None, where: str) -> float:
    number = number_in(value or "")
    if math.isnan(number):
        raise InputError(f"'{value}' is no number", where=where, hint="write 67.4 or the like")
    return number


_FORMATS = (
    Format("table", lambda file: read_records(file.path), lambda file: file.is_table),
    Format("printed by R", _printed),
)
