"""What stands beside reference sentences: source texts, documents, domains and other references."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from ...schema.brief import listed, plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.names import resolve_treebank
from ...schema.staging import Load, commit_in_place
from ...schema.statements import row_by_id, statement
from ..formats import Column, Columns, Format, UserFile, read_file, records_in
from ..names import sentence_ids
from ..outputs.reading import OUTPUT, REFERENCE, SENTENCE, OutputFile, of_system, read_outputs
from ..records import Records, check_once, read_records

_REFERENCE = Column("reference", [*REFERENCE.called, "text"])
_SOURCE = Column(
    "source",
    [
        *("source", "src", "source_text", "input", "prompt", "question"),
        *("meaning_representation", "mr", "text"),
    ],
)
_DOCUMENTS = Columns(
    "documents",
    (
        SENTENCE,
        Column("document", ["document", "document_id", "doc", "doc_id"]),
        Column("domain"),
    ),
)
NOT_LABELS = frozenset(
    name for column in (SENTENCE, OUTPUT, _REFERENCE, _SOURCE) for name in column.called
)
"""Columns of tables beside references that hold ids and texts."""
_TABLE_HINT = "a table names them in columns 'document' and 'domain', beside sent_id"


def ingest_sources(
    database: Database,
    treebank_id: str,
    *,
    sources: Path | None = None,
    documents: Path | None = None,
    replace: bool = False,
) -> bool:
    """Load what stands behind a treebank's sentences; return whether anything changed.

    ``sources`` has a text a line, in the order of the sentences, or is a table with ids.
    ``documents`` has ``DOMAIN DOCUMENT`` a line, with a tab or blanks between, as mt-metrics-eval's
    ``.docs`` files, or is a table with ids and columns ``document`` and ``domain``. Both are one
    thing: what is loaded in their place replaces both.

    Raises InputError for a broken file, one that does not fit the sentences, and for other content
    than was loaded before, unless ``replace`` is given.
    """
    paths = [path for path in (sources, documents) if path is not None]
    if not paths:
        return False
    ids = sentence_ids(database, treebank_id)
    count = len(ids)
    texts = in_order(_read_sources(sources), treebank_id, ids) if sources else [None] * count
    named, domains = (
        _read_documents(documents, treebank_id, ids)
        if documents
        else ([None] * count, [None] * count)
    )
    rows_of_file = zip(texts, named, domains, strict=True)
    load = source_load(
        treebank_id,
        ", ".join(path.name for path in paths),
        repr([texts, named, domains]),
        [
            number
            for number, row_of_file in enumerate(rows_of_file, start=1)
            if row_of_file != (None, None, None)
        ],
        source_text=texts,
        document_id=named,
        domain=domains,
    )
    taken = InputError(
        f"'{treebank_id}' has other sources or documents already",
        where=str(paths[0]),
        hint="--replace loads these in their place: give sources and documents together",
    )
    with database.transaction():
        changed = commit_in_place(
            database, load, {"treebank_id": treebank_id}, replace=replace, taken=taken
        )
        if changed:
            forget_slices(database, treebank_id)
    return changed


def forget_slices(database: Database, treebank_id: str) -> None:
    """Remove what was computed of sentences by their labels: some have other labels now."""
    for name in ("forget_slice_scores", "forget_slice_changes", "forget_label_verdicts"):
        database.connection.execute(statement(name), {"treebank": treebank_id})


def source_load(
    treebank_id: str,
    source: str,
    content: str,
    numbers: Sequence[int],
    **columns: Sequence[str | None],
) -> Load:
    """Return what stands behind the sentences of some ``numbers``: columns of all sentences."""
    rows = {
        "treebank_id": pa.repeat(treebank_id, len(numbers)),
        "sentence_no": pa.array(numbers, pa.int32()),
    }
    for name in ("source_text", "document_id", "domain"):
        values = columns.get(name)
        column = [None if values is None else values[number - 1] for number in numbers]
        rows[name] = pa.array(column, pa.string())
    return Load(
        kind="sources",
        target=treebank_id,
        source=source,
        sha256=content_hash(content),
        records=len(numbers),
        rows={"sentence_source": pa.table(rows)},
    )


def _read_texts(path: Path, column: Column, id_column: str | None = None) -> OutputFile:
    """Return the texts of a file, which has a column for them where it is a table."""
    records = records_in(path)
    if records is None:
        return read_outputs(path)
    name = column.among(records.columns)
    if name is None:
        raise InputError(
            f"there is no column '{column.expected_name}'",
            where=str(path),
            hint=f"the file has {listed([*records.columns])}; the one with the texts may be called "
            f"{', '.join(column.called)}",
        )
    if id_column not in records.columns:
        id_column = None
    _check_same(records, name, id_column)
    return read_outputs(path, id_column=id_column, text_column=name)


def _check_same(records: Records, name: str, id_column: str | None) -> None:
    """Raise InputError where a table of several systems has several texts of a sentence."""
    chosen = of_system(records, None, id_column)
    if chosen is records:
        return
    ids = id_column or str(SENTENCE.among(records.columns))
    texts = dict(zip(chosen.columns[ids], chosen.columns[name], strict=True))
    for row, (sent_id, text) in enumerate(
        zip(records.columns[ids], records.columns[name], strict=True)
    ):
        if texts[sent_id] != text:
            raise InputError(
                f"'{sent_id}' has another '{name}' for another system",
                where=records.where(row),
                hint="give every sentence one, or a list of several references",
            )


def _read_sources(path: Path) -> OutputFile:
    file = _read_texts(path, _SOURCE)
    if file.further:
        raise InputError(
            "a sentence has several sources", where=str(path), hint="write one text, not a list"
        )
    return file


def read_reference_texts(path: Path, id_column: str | None = None) -> OutputFile:
    """Return the reference sentences of a file, with their ids where it has some.

    A table that has an ``id_column`` has the ids there.
    """
    return _read_texts(path, _REFERENCE, id_column)


def _read_documents(
    path: Path, treebank_id: str, ids: Sequence[str | None]
) -> tuple[list[str | None], list[str | None]]:
    """Return the document and the domain of each sentence."""
    documents, domains = read_file(path, _DOCUMENT_FORMATS)
    return in_order(documents, treebank_id, ids), in_order(domains, treebank_id, ids)


def _documents_of_table(file: UserFile) -> tuple[OutputFile, OutputFile]:
    table = _DOCUMENTS.table(read_records(file.path))
    ids = [value or "" for value in table.texts("sent_id")] if table.has("sent_id") else None
    documents, domains = (
        OutputFile(table.source, ids, table.texts(name), table.lines)
        for name in ("document", "domain")
    )
    return documents, domains


def _documents_of_lines(file: UserFile) -> tuple[OutputFile, OutputFile]:
    domains: list[str | None] = []
    documents: list[str | None] = []
    for number, line in enumerate(file.lines(), start=1):
        domain, *more = line.split("\t" if "\t" in line else None)
        document = more[0].strip() if len(more) == 1 else ""
        if not document:
            raise InputError(
                "the line is not a domain, a tab and a document",
                where=file.where(number),
                hint=_TABLE_HINT,
            )
        domains.append(domain.strip() or None)
        documents.append(document)
    lines = [*range(1, len(documents) + 1)]
    return (
        OutputFile(file.source, None, documents, lines),
        OutputFile(file.source, None, domains, lines),
    )


_DOCUMENT_FORMATS = (
    Format("table", _documents_of_table, lambda file: file.is_table),
    Format("lines", _documents_of_lines),
)


def in_order(file: OutputFile, treebank_id: str, ids: Sequence[str | None]) -> list[str | None]:
    """Return a file's texts in the order of the sentences.

    Raises InputError for ids that are not there or stand twice, and for another number of lines.
    """
    if file.ids is None:
        _check_number(file, treebank_id, len(ids))
        return file.texts
    place = {str(number): number - 1 for number in range(1, len(ids) + 1)}
    if any(ids):
        place = {sent_id: n for n, sent_id in enumerate(ids) if sent_id is not None}
    check_once(file, file.ids, lambda sent_id: f"sentence '{sent_id}' stands twice")
    texts: list[str | None] = [None] * len(ids)
    for item, sent_id in enumerate(file.ids):
        if sent_id not in place:
            raise InputError(
                f"'{treebank_id}' has no sentence '{sent_id}'",
                where=file.where(item),
                hint="ids are those of the references",
            )
        texts[place[sent_id]] = file.texts[item]
    return texts


def _check_number(file: OutputFile, treebank_id: str, count: int) -> None:
    if len(file.texts) != count:
        raise InputError(
            f"the file has {plural(len(file.texts), 'line')}, '{treebank_id}' has "
            f"{plural(count, 'sentence')}",
            where=file.source,
            hint="a line for each sentence, in their order, or a table with ids",
        )


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
    with ids. A sentence with a blank line, or none, has no such reference. Of lists of texts the
    second ones are called NAME-2, and so on.

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
    others = read_alternatives(path, treebank_id, sentence_ids(database, treebank_id))
    with database.transaction():
        changed = [
            store_alternative(database, treebank_id, name, other, replace=replace)
            for name, other in numbered(reference_name, others)
        ]
    return any(changed)


@dataclass(frozen=True)
class Alternative:
    """Other references of sentences, in their order; None for one that has no such reference."""

    path: Path
    texts: Sequence[str | None]
    sha256: str


def read_alternatives(
    path: Path, treebank_id: str, ids: Sequence[str | None], id_column: str | None = None
) -> list[Alternative]:
    """Return other references of the sentences with these ids; see ``ingest_alternative``."""
    files = read_reference_texts(path, id_column).trials
    return [alternative_of(file, path, treebank_id, ids) for file in files]


def numbered(
    name: str, others: Sequence[Alternative], start: int = 1
) -> list[tuple[str, Alternative]]:
    """Return other references with their names: number 1 is ``name``, number n ``name-n``."""
    return [
        (name if number == 1 else f"{name}-{number}", other)
        for number, other in enumerate(others, start)
    ]


def alternative_of(
    file: OutputFile, path: Path, treebank_id: str, ids: Sequence[str | None]
) -> Alternative:
    """Return texts that were read as other references; see ``ingest_alternative``."""
    texts = in_order(file, treebank_id, ids)
    if not any(text is not None for text in texts):
        raise InputError(
            "the file holds no sentence",
            where=str(path),
            hint="is it the right file, and complete?",
        )
    return Alternative(path, texts, content_hash(repr(texts)))


def store_alternative(
    database: Database,
    treebank_id: str,
    reference_name: str,
    other: Alternative,
    *,
    replace: bool = False,
) -> bool:
    """Store other references of a treebank; see ``ingest_alternative``."""
    numbers = [number for number, text in enumerate(other.texts, start=1) if text is not None]
    rows = pa.table(
        {
            "treebank_id": pa.repeat(treebank_id, len(numbers)),
            "sentence_no": pa.array(numbers, pa.int32()),
            "reference_name": pa.repeat(reference_name, len(numbers)),
            "text": pa.array([text for text in other.texts if text is not None], pa.string()),
        }
    )
    target = f"{treebank_id} {reference_name}"
    load = Load(_KIND, target, other.path.name, other.sha256, len(numbers), {_KIND: rows})
    key = {"treebank_id": treebank_id, "reference_name": reference_name}
    taken = InputError(
        f"'{treebank_id}' has other references called '{reference_name}' already",
        where=str(other.path),
        hint="give another name, or --replace to load this file in their place",
    )
    return commit_in_place(database, load, key, replace=replace, taken=taken)


def _check_text(database: Database, treebank_id: str) -> None:
    if row_by_id(database, "treebank", treebank_id, "hidden_text") == (True,):
        raise InputError(
            f"the text of '{treebank_id}' is hidden: other references come after the first",
            hint="load that with 'tracker ingest references FILE --id ID'",
        )
