"""Data out of the database: every table as Parquet, a treebank as CoNLL-U."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path

from queries.catalog import statement, views
from schema.database import Database
from schema.errors import InputError, UnknownNameError
from schema.keys import KEYS
from schema.progress import Progress, silent
from schema.sqlfile import quoted
from tracker.files import write_file


def export_tables(
    database: Database, folder: Path, *, with_views: bool = False, progress: Progress = silent
) -> int:
    """Write every table (and view) as ``<name>.parquet`` into a folder; return the number of files.

    Raises InputError where the folder cannot be made or written.
    """
    names = [*KEYS, *(view.name for view in views())] if with_views else list(KEYS)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder: {error.strerror}", where=str(folder)) from error
    for done, name in enumerate(names):
        progress(name, done, len(names))
        temporary = folder / f".{name}.part"
        database.connection.execute(
            f"COPY (FROM {name}) TO {quoted(str(temporary))} (FORMAT parquet)"
        )
        temporary.replace(folder / f"{name}.parquet")
    return len(names)


def export_treebank(
    database: Database,
    treebank_id: str,
    file: Path,
    *,
    sentence_nos: Sequence[int] | None = None,
) -> int:
    """Write a treebank, or some of its sentences, as CoNLL-U and return the number of sentences.

    Raises UnknownNameError for a treebank that is not loaded, InputError where the file cannot be
    written.
    """
    rows = database.connection.execute(
        statement("export_conllu"), {"treebank_id": treebank_id}
    ).fetchall()
    if not rows:
        raise UnknownNameError(
            f"there is no treebank '{treebank_id}'", hint="'tracker show treebank' lists them"
        )
    if sentence_nos is not None:
        rows = [rows[sentence_no - 1] for sentence_no in sentence_nos]
    content = "".join(f"{text}\n\n" for (text,) in rows).encode()
    packers: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".xz": lzma.compress}
    compress = packers.get(file.suffix)
    write_file(file, compress(content) if compress else content)
    return len(rows)
