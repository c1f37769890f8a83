"""Which sentences of two versions of a test set belong together, and what is to be said of both."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.schema.brief import plural
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.statements import Row, read_rows, statement


def pair_versions(database: Database, old: str, new: str) -> list[str]:
    """Make the temporary table ``drift_pair`` and return what is to be said of it.

    Sentences belong together that have the same sent_id, else the same text. Where most of the
    same ids stand before quite other words, ids are mere numbers, and texts alone count.

    Raises InputError where the two are one treebank, or share no sentence.
    """
    if old == new:
        raise InputError(
            f"'{old}' is one version, not two", hint="name two or more versions of a test set"
        )
    (ids,) = read_rows(database, "drift_ids_hold", old=old, new=new)
    by_id = 2 * ids["alike"] >= ids["sentences"]
    parameters = {"old": old, "new": new, "by_id": by_id}
    database.connection.execute(statement("drift_pairs"), parameters)
    if not read_rows(database, "drift_shared"):
        raise InputError(
            f"'{old}' and '{new}' share no sentence",
            hint="versions of a test set have sentences with the same sent_id or text",
        )
    if by_id:
        return []
    said = (
        f"{old} and {new}: of {plural(ids['sentences'], 'sentence')} with the same sent_id only "
        f"{ids['alike']:,} are alike: matched by text alone"
    )
    return [said]


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
    return {(row["old"], row["new"]): _told(row) for row in rows}


def _told(row: Row) -> str:
    changed = [f"{row[name]:,} have other {what}" for name, what in _WHAT.items() if row[name]]
    return (
        f"{row['old']} and {row['new']} are versions of one test set: of "
        f"{row['shared_sentences']:,} shared sentences {', '.join(changed) or 'none changed'}; "
        f"'tracker drift {row['old']} {row['new']}' tells which part of a change of scores is "
        "the references'"
    )
