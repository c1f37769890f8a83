"""Rows of text as CSV or JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence


def table_bytes(
    rows: Sequence[Mapping[str, str | None]], columns: Sequence[str], format_name: str
) -> bytes:
    """Return rows as the content of a CSV or JSONL file in UTF-8; None is an empty cell or null."""
    if format_name == "jsonl":
        lines = (
            json.dumps({name: row[name] for name in columns}, ensure_ascii=False) for row in rows
        )
        return "".join(f"{line}\n" for line in lines).encode()
    content = io.StringIO(newline="")
    writer = csv.writer(content, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([row[name] for name in columns] for row in rows)
    return content.getvalue().encode()
