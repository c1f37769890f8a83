"""Faults that tests plant in a database, ``planted/*.sql``, and the audits that find them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sr_tracker.queries.catalog import audits
from sr_tracker.schema.database import Database
from sr_tracker.schema.keys import table_audits
from sr_tracker.schema.statements import rows_of

FOLDER = Path(__file__).with_name("planted")


@dataclass(frozen=True)
class Planted:
    """A fault, the audit that finds it and what that says of it, where that matters."""

    audit: str
    message: str
    statement: str

    def __str__(self) -> str:
        return f"{self.audit}: {self.statement}"

    def check(self, database: Database) -> None:
        """Plant it, check that it is found, and undo it."""
        (query,) = (item.text for item in [*audits(), *table_audits()] if item.name == self.audit)
        database.connection.execute("BEGIN")
        try:
            (changed,) = database.connection.execute(self.statement).fetchone() or (0,)
            assert changed > 0, "the fault was not planted"
            findings = rows_of(database, query)
        finally:
            database.connection.execute("ROLLBACK")
        assert findings, self.statement
        if self.message:
            assert self.message in {row["fault"] for row in findings}, self.statement


def planted(name: str) -> list[Planted]:
    """Return the faults of a file: below ``-- audit`` or ``-- audit: message``, each to its ;."""
    _, *parts = (FOLDER / f"{name}.sql").read_text(encoding="utf-8").split("\n\n-- ")
    results = []
    for part in parts:
        title, _, text = part.partition("\n")
        audit, _, message = title.partition(": ")
        statements = text.replace(";;\n", "\0").strip().removesuffix(";").split(";\n")
        results += [
            Planted(audit, message, statement.replace("\0", ";\n")) for statement in statements
        ]
    return results
