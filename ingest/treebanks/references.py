"""References without trees: a text file becomes a treebank of scheme ``text``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as replaced
from pathlib import Path

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import format_suffix
from ...schema.keys import TEXT_SCHEME, replaced_with
from ...schema.staging import commit, is_loaded
from ...schema.statements import statement
from ...schema.temporary import temporary
from ..outputs.reading import OutputFile, read_outputs
from ..records import check_once
from .loading import is_taken, link_campaign
from .names import TreebankName, sentence_ids
from .test_sets import forget_results, text_load

_OF_SUBMISSIONS = (
    "submission_id IN (SELECT submission_id FROM submission WHERE treebank_id = $treebank)"
)
_NUMBERED = {
    **dict.fromkeys(
        ("judgement", "sentence_source", "challenge_check", "training_overlap"),
        "treebank_id = $treebank",
    ),
    **dict.fromkeys(("human_score", "output", "output_words"), _OF_SUBMISSIONS),
}
"""Tables whose rows stay with their sentence where its number changes, and which rows."""


def ingest_references(
    database: Database,
    path: Path,
    name: TreebankName,
    *,
    campaign_id: str | None = None,
    replace: bool = False,
) -> bool:
    """Load reference sentences without trees and return whether anything changed.

    A file has one sentence a line, named by its number, or is of any other format of outputs but
    CoNLL-U, with ids. A blank line is a sentence without words. Metrics of text work; those of
    lemmas and edges, complexity and mining need words, and have none.

    A test set that judgements made known gets its texts so: its sentences take the order of the
    file, with all that people said of them.

    Raises InputError for a broken file, for other content under an id that is taken (unless
    ``replace`` is given and no submission refers to it), and where judged sentences are not in the
    file.
    """
    file = _read(path)
    sent_ids = file.ids or [str(number) for number in range(1, len(file.texts) + 1)]
    texts = [text or "" for text in file.texts]
    load = text_load(name, sent_ids, path, texts=texts, lines=file.lines)
    if is_loaded(database, "treebank", name.treebank_id, load.sha256):
        return link_campaign(database, campaign_id, name.treebank_id)
    judged = _is_judged(database, name.treebank_id)
    if not judged and is_taken(database, name.treebank_id, path, replace=replace):
        load = replaced(load, replaces=replaced_with("treebank", name.treebank_id))
    with database.transaction():
        if judged:
            forget_results(database, name.treebank_id)
            _renumber(database, name.treebank_id, path, sent_ids)
        commit(database, load)
        if judged:
            _add_outputs(database, name.treebank_id)
        link_campaign(database, campaign_id, name.treebank_id)
    return True


def _read(path: Path) -> OutputFile:
    if format_suffix(path) == ".conllu":
        raise InputError(
            "a CoNLL-U file is a treebank, not plain references",
            where=str(path),
            hint="load it with 'tracker ingest treebank'",
        )
    file = read_outputs(path)
    if not any(file.texts):
        hint = "is it the right file, and complete?"
        raise InputError("the file holds no sentence", where=str(path), hint=hint)
    hint = "give every sentence an id of its own"
    check_once(file, file.ids or (), lambda sent_id: f"two sentences are '{sent_id}'", hint)
    return file


def _is_judged(database: Database, treebank_id: str) -> bool:
    """Return whether this is a test set that judgements made known: it has ids but no texts."""
    found = database.connection.execute(
        "SELECT 1 FROM treebank WHERE treebank_id = ? AND scheme = ? AND hidden_text",
        [treebank_id, TEXT_SCHEME],
    ).fetchone()
    return found is not None


def _renumber(database: Database, treebank_id: str, path: Path, sent_ids: Sequence[str]) -> None:
    """Give what belongs to judged sentences the numbers that these have in the file."""
    place = {sent_id: number for number, sent_id in enumerate(sent_ids, start=1)}
    known = [str(sent_id) for sent_id in sentence_ids(database, treebank_id)]
    unknown = [sent_id for sent_id in known if sent_id not in place]
    if unknown:
        others = f" (and {len(unknown) - 1} more)" if len(unknown) > 1 else ""
        raise InputError(
            f"the file has no sentence '{unknown[0]}'{others}, which '{treebank_id}' has",
            where=str(path),
            hint="lines are sentences 1, 2, …; a table or shared-task text may name them by id",
        )
    numbers = {
        "number": pa.array(range(1, len(known) + 1), pa.int32()),
        "new_number": pa.array([place[sent_id] for sent_id in known], pa.int32()),
    }
    with temporary(database, renumbered=pa.table(numbers)):
        for table, rows in _NUMBERED.items():
            database.connection.execute(
                f"UPDATE {table} SET sentence_no = new_number FROM renumbered "  # noqa: S608
                f"WHERE sentence_no = number AND {rows}",
                {"treebank": treebank_id},
            )


def _add_outputs(database: Database, treebank_id: str) -> None:
    """Note that submissions have no output for the sentences that are new."""
    database.connection.execute(statement("note_missing_outputs"), {"treebank": treebank_id})
