"""Other references of sentences that have one: files of text, a name each."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa

from sr_tracker.ingest.outputs.reading import read_outputs
from sr_tracker.ingest.treebanks.sources import in_order, sentence_ids
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import content_hash
from sr_tracker.schema.names import resolve_treebank
from sr_tracker.schema.staging import Load, commit, is_loaded

_KIND = "alternative_reference"
_NAME = re.compile(r"[\w.-]+")


def ingest_alternative(
    database: Database,
    path: Path,
    *,
    treebank_id: str,
    reference_name: str,
    replace: bool = False,
) -> bool:
    """Load another reference of a treebank's sentences and return whether anything changed.

    The file has a text a line, in the order of the sentences, or is a table or shared-task text
    with ids. A sentence with a blank line, or none, has no such reference.

    Raises UnknownNameError for a treebank that is not loaded; InputError for a broken file, one
    that does not fit the sentences, a name that cannot be, a treebank whose text is hidden, and
    for other content under a name that is taken, unless ``replace`` is given.
    """
    treebank_id = resolve_treebank(database, treebank_id)
    if not _NAME.fullmatch(reference_name):
        raise InputError(
            f"'{reference_name}' cannot be the name of a reference",
            hint="letters, digits, dots, hyphens and underscores, such as refB",
        )
    _check_text(database, treebank_id)
    file = read_outputs(path)
    texts = in_order(file, treebank_id, sentence_ids(database, treebank_id))
    numbers = [number for number, text in enumerate(texts, start=1) if text is not None]
    if not numbers:
        raise InputError(
            "the file holds no sentence",
            where=str(path),
            hint="is it the right file, and complete?",
        )
    rows = pa.table(
        {
            "treebank_id": pa.repeat(treebank_id, len(numbers)),
            "sentence_no": pa.array(numbers, pa.int32()),
            "reference_name": pa.repeat(reference_name, len(numbers)),
            "text": pa.array([text for text in texts if text is not None], pa.string()),
        }
    )
    target = f"{treebank_id} {reference_name}"
    sha256 = content_hash(repr(texts))
    key = [treebank_id, reference_name]
    there = database.connection.execute(
        "SELECT 1 FROM alternative_reference WHERE treebank_id = ? AND reference_name = ? LIMIT 1",
        key,
    ).fetchone()
    if there and is_loaded(database, _KIND, target, sha256):
        return False
    if there and not replace:
        raise InputError(
            f"'{treebank_id}' has other references called '{reference_name}' already",
            where=str(path),
            hint="give another name, or --replace to load this file in their place",
        )
    load = Load(_KIND, target, path.name, sha256, len(numbers), {_KIND: rows})
    with database.transaction() as connection:
        connection.execute(
            "DELETE FROM alternative_reference WHERE treebank_id = ? AND reference_name = ?", key
        )
        commit(database, load)
    return True


def _check_text(database: Database, treebank_id: str) -> None:
    (hidden,) = database.connection.execute(
        "SELECT hidden_text FROM treebank WHERE treebank_id = ?", [treebank_id]
    ).fetchall()[0]
    if hidden:
        raise InputError(
            f"the text of '{treebank_id}' is hidden: other references come after the first",
            hint="load that with 'tracker ingest references FILE --id ID'",
        )
