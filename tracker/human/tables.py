"""Rows of text as CSV or JSON lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sr_tracker.tracker.formats import csv_text, json_text


def table_bytes(
    rows: Sequence[Mapping[str, str | None]], columns: Sequence[str], format_name: str
) -> bytes:
    """Return rows as the content of a CSV or JSONL file in UTF-8; None is an empty cell or null.

    As ``spreadsheet`` they are CSV in which no text runs as a formula.
    """
    if format_name == "jsonl":
        lines = (json_text({name: row[name] for name in columns}, indent=None) for row in rows)
        return "".join(lines).encode()
    cells = ([row[name] for name in columns] for row in rows)
    return csv_text(columns, cells, formulas=format_name != "spreadsheet").encode()
