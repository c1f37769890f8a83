"""Versions of test sets, scores and databases: what changed, as of when, and what may go."""

from __future__ import annotations

from collections.abc import Sequence

from ....schema.database import Database
from ....schema.statements import Row, read_rows

_WHAT = {
    "text_changed": "texts",
    "words_changed": "words",
    "lemmas_changed": "lemmas",
    "trees_changed": "trees",
}


def version_remarks(database: Database, treebanks: Sequence[str]) -> dict[tuple[str, str], str]:
    """Return a remark for each two treebanks that are versions of one test set, by both names.

    The older one comes first. Versions with the same bytes have none.
    """
    names = [*dict.fromkeys(treebanks)]
    if len(names) < 2:
        return {}
    rows = read_rows(database, "changed_versions", treebanks=names)
    return {(row["old"], row["new"]): _remark(row) for row in rows}


def _remark(row: Row) -> str:
    changed = [f"{row[name]:,} have other {what}" for name, what in _WHAT.items() if row[name]]
    return (
        f"{row['old']} and {row['new']} are versions of one test set: of "
        f"{row['shared_sentences']:,} shared sentences {', '.join(changed) or 'none changed'}; "
        f"'tracker task drift {row['old']} {row['new']}' tells which part of a change of scores is "
        "the references'"
    )
