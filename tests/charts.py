"""Charts in tests: rows as charts take them, and the rows that a specification holds."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
from altair.vegalite.v6.schema.core import Root


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame, None where a value is missing."""
    rows: list[dict[str, Any]] = pa.Table.from_pandas(frame, preserve_index=False).to_pylist()
    return rows


def rows_of(part: Any) -> list[list[dict[str, Any]]]:
    """Return all the rows that a specification holds, one list for each of its data."""
    if isinstance(part, dict) and "values" in part.get("data", {}):
        further = [value for name, value in part.items() if name != "data"]
        return [part["data"]["values"], *rows_of(further)]
    parts = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return [rows for inner in parts for rows in rows_of(inner)]


def check_specification(chart: dict[str, Any]) -> None:
    """Raise ValidationError where Vega-Lite does not know what a specification says."""
    Root.validate(chart)
