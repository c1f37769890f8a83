"""Audits: queries whose rows should not exist, for what storage without constraints cannot hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..schema.database import Database
from ..schema.keys import KEYS
from ..schema.statements import SqlFile
from .catalog import audits

FIRST_ROWS = 5


@dataclass(frozen=True)
class Finding:
    """An audit that found rows which should not exist."""

    audit: str
    description: str
    rows: int
    """How many rows it found."""
    first_rows: list[dict[str, Any]]
    """The first of them, column by column."""


def run_audits(database: Database) -> list[Finding]:
    """Run every audit and return those that found something; an empty list is a healthy database.

    The audits are the files of ``queries/audits`` and, for each table, one that its natural key is
    unique.
    """
    findings = (_run(database, audit) for audit in [*audits(), *_key_audits()])
    return [finding for finding in findings if finding is not None]


def _key_audits() -> list[SqlFile]:
    """Return one audit per table: a natural key that several rows have."""
    return [
        SqlFile(
            name=f"{table}_key",
            description=f"one row per key that several rows of {table} share.",
            text=f"SELECT {', '.join(keys)}, count(*) AS rows FROM {table} "  # noqa: S608
            "GROUP BY ALL HAVING count(*) > 1",
            column_comments={},
        )
        for table, keys in KEYS.items()
    ]


def _run(database: Database, audit: SqlFile) -> Finding | None:
    query = audit.text.rstrip().removesuffix(";")
    connection = database.connection
    (rows,) = connection.execute(f"SELECT count(*) FROM ({query})").fetchone() or (0,)  # noqa: S608
    if not rows:
        return None
    cursor = connection.execute(f"FROM ({query}) ORDER BY ALL LIMIT {FIRST_ROWS}")
    names = [column[0] for column in cursor.description or ()]
    first = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return Finding(audit.name, audit.description, rows, first)
