"""The treebank to add noise to: from a CoNLL-U file or from the database."""

from __future__ import annotations

import re
from pathlib import Path

from sr_tracker.schema.database import Database
from sr_tracker.schema.files import read_text
from sr_tracker.schema.names import resolve_treebank
from sr_tracker.schema.statements import statement

_LANGUAGE = re.compile("([a-z]{2,3})_")


def file_text(file: Path) -> tuple[str, str | None]:
    """Return the text of a CoNLL-U file and the language code that its name begins with.

    Raises InputError where the file cannot be read.
    """
    named = _LANGUAGE.match(file.name)
    return read_text(file), named[1] if named else None


def treebank_text(database: Database, treebank_id: str) -> tuple[str, str | None]:
    """Return a treebank of the database as CoNLL-U, and its language.

    Raises UnknownNameError for a treebank that is not loaded.
    """
    hint = "'tracker show treebank' lists them; a file must end in .conllu"
    treebank_id = resolve_treebank(database, treebank_id, hint=hint)
    (found,) = database.connection.execute(
        "SELECT language FROM treebank WHERE treebank_id = ?", [treebank_id]
    ).fetchall()
    rows = database.connection.execute(
        statement("export_conllu"), {"treebank_id": treebank_id}
    ).fetchall()
    return "".join(f"{text}\n\n" for (text,) in rows), found[0]
