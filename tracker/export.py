"""Data out of the database: every table as Parquet, a treebank as CoNLL-U."""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..queries.catalog import views
from ..queries.reading import read_batches
from ..schema.database import Database
from ..schema.errors import InputError
from ..schema.keys import KEYS
from ..schema.names import resolve_treebank
from ..schema.progress import Progress, silent
from ..schema.statements import read_table
from ..schema.writing import write_file


def export_tables(
    database: Database, folder: Path, *, with_views: bool = False, progress: Progress = silent
) -> int:
    """Write every table (and view) as ``<name>.parquet`` into a folder; return the number of files.

    They are moved there when all are written; what goes wrong before leaves nothing behind.

    Raises InputError where the folder cannot be made or written.
    """
    names = [*KEYS, *(view.name for view in views())] if with_views else list(KEYS)
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".export-") as unfinished:
            for done, name in enumerate(names):
                progress(name, done, len(names))
                _write_parquet(database, name, Path(unfinished) / f"{name}.parquet")
            for name in names:
                (Path(unfinished) / f"{name}.parquet").replace(folder / f"{name}.parquet")
    except OSError as error:
        raise InputError(
            f"cannot write: {error.strerror or error}",
            where=str(folder),
            hint="check the folder's permissions and the room on the disk",
        ) from error
    finally:
        if made:
            with suppress(OSError):  # it is not empty where all went well
                folder.rmdir()
    return len(names)


def _write_parquet(database: Database, name: str, file: Path) -> None:
    import pyarrow.parquet as pq

    rows = read_batches(database, name)
    with pq.ParquetWriter(file, rows.schema) as writer:
        for batch in rows:
            writer.write_batch(batch)


def export_treebank(
    database: Database, treebank_id: str, file: Path, *, sentence_nos: Sequence[int] | None = None
) -> int:
    """Write a treebank, or some of its sentences, as CoNLL-U and return the number of sentences.

    Raises UnknownNameError for a treebank that is not loaded, InputError where it has no words, and
    where the file cannot be written.
    """
    treebank_id = resolve_treebank(database, treebank_id)
    (blocks,) = read_table(database, "export_conllu", treebank_id=treebank_id).columns
    texts = blocks.to_pylist()
    if not texts:
        raise InputError(
            f"the references of '{treebank_id}' are text without words",
            hint="'tracker ingest parse' gives them words and trees, by a model",
        )
    if sentence_nos is not None:
        texts = [texts[sentence_no - 1] for sentence_no in sentence_nos]
    write_file(file, packed(file, (f"{text}\n\n" for text in texts)))
    return len(texts)


def packed(file: Path, texts: Iterable[str]) -> Iterator[bytes]:
    """Yield texts as bytes, compressed where the file's suffix is .gz or .xz."""
    packers: dict[str, Callable[[], Any]] = {
        ".gz": lambda: zlib.compressobj(wbits=zlib.MAX_WBITS | 16),
        ".xz": lzma.LZMACompressor,
    }
    contents = (text.encode() for text in texts)
    if file.suffix not in packers:
        yield from contents
        return
    packer = packers[file.suffix]()
    yield from (packer.compress(content) for content in contents)
    yield packer.flush()
