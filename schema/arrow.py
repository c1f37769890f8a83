"""Where values that Python holds become Arrow's: one that does not fit is named with its place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from .errors import InputError

UNFIT = (ValueError, TypeError, OverflowError)
"""What pyarrow raises for a value that a type does not hold; its own errors are among these."""

_HINT = "texts are whole characters, whole numbers lie within ±2,147,483,647, others are finite"


def arrow_table(
    rows: Sequence[Mapping[str, Any]], schema: pa.Schema, place: Callable[[int], str]
) -> pa.Table:
    """Return rows as a table; what a row does not name is NULL.

    ``place`` tells where a row stands, counted from 0. Raises InputError there for a value that its
    column does not hold: too large a number, infinity and NaN, half a surrogate pair, another type.
    """
    columns = [
        arrow_column([row.get(field.name) for row in rows], field.type, field.name, place)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def arrow_column(
    values: Sequence[Any], kind: pa.DataType, name: str, place: Callable[[int], str]
) -> pa.Array:
    """Return values as an Arrow array; raises InputError as ``arrow_table`` does."""
    try:
        column = pa.array(values, kind)
    except UNFIT:
        column = None
    numbers = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    if column is not None and not numbers:
        return column
    unfit = next((item for item, value in enumerate(values) if not _fits(value, kind)), None)
    if unfit is None:
        return column
    raise InputError(f"{values[unfit]!a} cannot be the {name}", where=place(unfit), hint=_HINT)


def _fits(value: Any, kind: pa.DataType) -> bool:
    try:
        array = pa.array([value], kind)
    except UNFIT:
        return False
    if pa.types.is_integer(kind):  # pyarrow would cut a fraction off
        return not isinstance(value, float)
    return not pa.types.is_floating(kind) or value is None or math.isfinite(array[0].as_py())
