"""Surface text as the SR'18 shared task normalises it: lower-cased, extra whitespace removed."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

# Quoted, but defined at run time: DuckDB evaluates the annotations of the functions it is given,
# and Arrow's classes take type parameters in their stubs alone.
Column: TypeAlias = "pa.Array[Any] | pa.ChunkedArray[Any]"
Rows: TypeAlias = "pa.Array[Any]"


def surface_tokens(text: Column) -> Rows:
    """Return the normalised tokens of each text, list<string>: [] without any, NULL for NULL.

    Lower-casing and whitespace are Python's own (Mille et al. 2018, section 3.1), which know more
    of Unicode than Arrow's kernels: final sigma, the information separators.
    """
    rows = [None if value is None else value.lower().split() for value in text.to_pylist()]
    starts = np.zeros(len(rows) + 1, dtype=np.int32)
    np.cumsum([len(row) if row else 0 for row in rows], out=starts[1:])
    return pa.ListArray.from_arrays(
        pa.array(starts, type=pa.int32()),
        pa.array([token for row in rows if row for token in row], type=pa.string()),
        mask=pa.array([row is None for row in rows], type=pa.bool_()),
    )


def normalised_text(text: Column) -> Rows:
    """Return each text's normalised tokens joined by blanks: '' without any, NULL for NULL."""
    return pa.array(
        [None if value is None else " ".join(value.lower().split()) for value in text.to_pylist()],
        type=pa.string(),
    )
