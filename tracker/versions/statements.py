"""The SQL behind rescoring and pruning."""

from __future__ import annotations

from sr_tracker.tracker.statements import statement_of


def version_statement(name: str) -> str:
    """Return the text of the statement file ``sql/NAME.sql``."""
    return statement_of("sr_tracker.tracker.versions", name)
