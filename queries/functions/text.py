"""Surface text as the SR'18 shared task normalises it: lower-cased, extra whitespace removed."""

from __future__ import annotations

from typing import Any, TypeAlias

import pyarrow as pa

# Quoted, but defined at run time: DuckDB evaluates the annotations of the functions it is given,
# and Arrow's classes take type parameters in their stubs alone.
Column: TypeAlias = "pa.Array[Any] | pa.ChunkedArray[Any]"
Rows: TypeAlias = "pa.Array[Any]"


def normalised_text(text: Column) -> Rows:
    """Return each text's normalised tokens joined by blanks: '' without any, NULL for NULL."""
    return pa.array(
        [None if value is None else " ".join(value.lower().split()) for value in text.to_pylist()],
        type=pa.string(),
    )


def in_one(column: Column) -> Rows:
    """Return a column in one piece."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
