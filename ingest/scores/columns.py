"""The columns of a file of human scores: which stands for what, and what their values may be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...schema.errors import InputError
from ..judgements.error_spans import off_scale
from ..records import Records, number_hint, number_in

FIELDS = (
    *("submission", "system", "treebank", "iteration", "sent_id", "criterion"),
    *("z_score", "raw_mean", "judgements", "text"),
)


@dataclass(frozen=True)
class ScoreFile:
    """What a user says of a file of human scores: fixed values and the names of its columns."""

    columns: Mapping[str, str] = field(default_factory=dict)
    campaign_id: str | None = None
    system_id: str | None = None
    treebank_id: str | None = None
    submission_id: str | None = None
    criterion: str | None = None

    @property
    def fixed(self) -> dict[str, str | None]:
        """What all rows have, by field; None where a column tells it."""
        return {
            "system": self.system_id,
            "treebank": self.treebank_id,
            "submission": self.submission_id,
            "criterion": self.criterion,
        }


def check_fields(names: Iterable[str], fields: Sequence[str], what: str, source: str) -> None:
    """Raise InputError where one of the names is none of the fields that files of ``what`` have."""
    unknown = sorted(set(names) - set(fields))
    if unknown:
        hint = f"fields: {', '.join(fields)}"
        raise InputError(f"'{unknown[0]}' is not a field of {what}", where=source, hint=hint)


def column_name(records: Records, given: ScoreFile, field: str) -> str | None:
    """Return the file's column for a field, as mapped or of its name; None where there is none."""
    name = given.columns.get(field)
    if name is not None:
        records.column(name)
        return name
    return field if field in records.columns else None


def required(
    records: Records,
    given: ScoreFile,
    field: str,
    hint: str = "every score names what it belongs to",
) -> list[str | None]:
    """Return a field's values, one for all where it is given; no cell of a column may be empty."""
    if fixed := given.fixed.get(field):
        return [fixed] * len(records.lines)
    values = records.column(column_name(records, given, field) or field)
    if None in values:
        raise InputError(
            f"'{field}' is empty",
            where=records.where(values.index(None)),
            hint=hint,
        )
    return values


def numbers(
    records: Records, given: ScoreFile, field: str, *, absent: str = "leave the cell empty"
) -> list[float | None]:
    """Return a field as numbers, None where it is empty or has no column.

    Raises InputError (file:line) for what is no number; ``absent`` is what to do without one.
    """
    name = column_name(records, given, field)
    if name is None:
        return [None] * len(records.lines)
    return [
        _number(records, record, field, value, absent)
        for record, value in enumerate(records.numerals(name))
    ]


def whole_numbers(
    records: Records, given: ScoreFile, field: str, *, least: int = 0
) -> list[int | None]:
    """Return a field as numbers of what it is called by; raises InputError for others."""
    found = numbers(records, given, field)
    for record, count in enumerate(found):
        if count is not None and not (least <= count < 2**31 and count.is_integer()):
            raise InputError(
                f"{count:g} is not a number of {field}",
                where=records.where(record),
                hint=f"give a whole number from {least}, or leave the cell empty",
            )
    return [None if count is None else int(count) for count in found]


def _number(
    records: Records, record: int, field: str, value: str | None, absent: str
) -> float | None:
    if value is None:
        return None
    number = number_in(value)
    if math.isnan(number):
        raise InputError(
            f"'{value}' is not a {field.replace('_', ' ')}",
            where=records.where(record),
            hint=number_hint(absent),
        )
    return number


def check_values(
    records: Records,
    z_scores: list[float | None],
    raw_means: list[float | None],
    criteria: Sequence[str],
) -> None:
    """Check that each row has a score, and raw means are within 0 to 100, on mqm at most 0."""
    for record, (z_score, raw_mean) in enumerate(zip(z_scores, raw_means, strict=True)):
        if z_score is None and raw_mean is None:
            raise InputError(
                "the row has neither a z-score nor a raw mean",
                where=records.where(record),
                hint="map the file's columns to z_score and raw_mean",
            )
        if raw_mean is None:
            continue
        wrong = off_scale(raw_mean, criteria[record])
        if wrong is not None:
            message, hint = wrong
            raise InputError(
                f"the raw mean {raw_mean} {message}", where=records.where(record), hint=hint
            )
