"""Output files → texts with ids: shared-task text, lines, CoNLL-U, CSV, TSV, JSONL, Parquet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unicodedata import is_normalized, normalize

import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import InputError
from ...schema.files import format_suffix, read_text
from ..analysers.base import ANALYSIS_SCHEMA
from ..records import RECORD_SUFFIXES, check_records, read_records
from ..treebanks.conllu import ConlluFile, parse_conllu
from ..treebanks.conllu_columns import (
    conllu_tables,
    positions_within,
    read_heads,
    surface_texts,
)

_LINE = re.compile(r"#\s*(?:sent_id\s*=(.*)|text\s*=\s?(.*))")
_SHARED_TASK = re.compile(r"^#[^\S\n]*(sent_id|text)[^\S\n]*=", re.MULTILINE)
ID_COLUMNS = ("sent_id", "id", "sentence_id", "sentence_no")
TEXT_COLUMNS = ("text", "output", "hypothesis", "prediction")


@dataclass(frozen=True)
class OutputFile:
    """The outputs of a file in its order; ``ids`` is None where outputs are aligned by position."""

    source: str
    ids: list[str] | None
    texts: list[str | None]
    lines: list[int]
    tokens: pa.Table | None = None
    """Analysed words (ANALYSIS_SCHEMA), where sentence_no counts the file's outputs from 1."""

    def where(self, item: int) -> str:
        """Return the place of an output, counted from 0, as file:line."""
        return f"{self.source}:{self.lines[item]}"


def read_outputs(
    path: Path, *, id_column: str | None = None, text_column: str | None = None
) -> OutputFile:
    """Return the outputs of a file; an output of blanks only counts as none given (None).

    The suffix tells CoNLL-U, CSV, TSV, JSONL and Parquet; other files are shared-task text where
    a line reads ``# sent_id = …`` or ``# text = …``, else one output a line.

    Raises InputError (file:line) for whatever does not fit the format.
    """
    suffix = format_suffix(path)
    if suffix == ".conllu":
        return _from_conllu(path)
    if suffix in RECORD_SUFFIXES:
        return _from_records(path, id_column, text_column)
    if suffix == ".json":
        raise InputError(
            "outputs are not read from one JSON value",
            where=str(path),
            hint='write one object a line, {"sent_id": "1", "text": "…"}, and call it .jsonl',
        )
    text = read_text(path)
    if _SHARED_TASK.search(text):
        return _from_shared_task(str(path), text.split("\n"))
    check_records(str(path), text.count("\n"))
    return _from_lines(str(path), text.split("\n"))


def composed(file: OutputFile) -> OutputFile:
    """Return a file's outputs with their texts, forms and lemmas in composed Unicode (NFC)."""
    tokens = file.tokens
    if tokens is not None:
        for name in ("form", "lemma"):
            values = pa.array(_composed(tokens[name].to_pylist()), pa.string())
            tokens = tokens.set_column(tokens.column_names.index(name), name, values)
    return replace(file, texts=_composed(file.texts), tokens=tokens)


def _composed(texts: Sequence[str | None]) -> list[str | None]:
    if is_normalized("NFC", "\n".join(text for text in texts if text)):
        return [*texts]
    return [None if text is None else normalize("NFC", text) for text in texts]


def _given(text: str | None) -> str | None:
    return text if text and text.strip() else None


def _from_lines(source: str, lines: list[str]) -> OutputFile:
    if lines and not lines[-1]:
        lines = lines[:-1]
    return OutputFile(source, None, [_given(line) for line in lines], [*range(1, len(lines) + 1)])


def _from_shared_task(source: str, lines: list[str]) -> OutputFile:
    ids: list[str] = []
    texts: list[str | None] = []
    numbers: list[int] = []
    awaiting_text = False
    for number, line in enumerate(lines, start=1):
        if not line or line.isspace():
            continue
        sent_id, text = found.groups() if (found := _LINE.fullmatch(line)) else (None, None)
        if sent_id is not None:
            ids.append(sent_id.strip())
            texts.append(None)
            numbers.append(number)
            awaiting_text = True
        elif text is not None and awaiting_text:
            texts[-1] = _given(text)
            awaiting_text = False
        else:
            raise InputError(
                "the line is neither sent_id nor text"
                if text is None
                else "a text without its sent_id",
                where=f"{source}:{number}",
                hint="each output is '# sent_id = ID', then '# text = TEXT', then a blank line",
            )
    return OutputFile(source, ids, texts, numbers)


def _from_records(path: Path, id_column: str | None, text_column: str | None) -> OutputFile:
    records = read_records(path)
    text_name = text_column or _first_of(TEXT_COLUMNS, records.columns) or TEXT_COLUMNS[0]
    id_name = id_column or _first_of(ID_COLUMNS, records.columns)
    texts = [_given(value) for value in records.column(text_name)]
    if id_name is None:
        return OutputFile(records.source, None, texts, records.lines)
    ids = records.column(id_name)
    for record, value in enumerate(ids):
        if value is None:
            raise InputError(
                f"'{id_name}' is empty",
                where=records.where(record),
                hint="give every output its id, or drop the column to align by position",
            )
    return OutputFile(records.source, [str(value) for value in ids], texts, records.lines)


def _first_of(names: Sequence[str], columns: dict[str, list[str | None]]) -> str | None:
    return next((name for name in names if name in columns), None)


def _from_conllu(path: Path) -> OutputFile:
    file = parse_conllu(read_text(path), str(path))
    tables = conllu_tables(file, read_heads(file))
    if tables.hidden:
        raise InputError(
            "every form is hidden (_)", where=str(path), hint="an output needs its words"
        )
    _, joined = surface_texts(tables, len(file.lengths))
    return OutputFile(
        str(path),
        _conllu_ids(file),
        [_given(text) or words for text, words in zip(file.texts, joined.to_pylist(), strict=True)],
        file.lines,
        _analysed(tables.tokens),
    )


def _conllu_ids(file: ConlluFile) -> list[str] | None:
    ids = [sent_id for sent_id in file.sent_ids if sent_id is not None]
    if ids and len(ids) < len(file.sent_ids):
        line = file.lines[file.sent_ids.index(None)]
        raise InputError(
            "the sentence has no sent_id although others have one",
            where=f"{file.source}:{line}",
            hint="give every sentence a sent_id, or none",
        )
    return ids or None


def _analysed(tokens: pa.Table) -> pa.Table:
    """Return words as an analysis: punctuation is what `is_punctuation` says it is."""
    punctuation = pc.coalesce(
        pc.match_substring_regex(tokens["deprel"], "^punct(:|$)"),
        pc.equal(tokens["upos"], "PUNCT"),
        pc.match_substring_regex(tokens["form"], r"^[\p{P}\p{Sk}]+$"),
    ).combine_chunks()
    counted = pc.invert(punctuation).to_numpy(zero_copy_only=False)
    positions = positions_within(tokens["sentence_no"].to_numpy(), counted)
    columns = {name: tokens[name] for name in ANALYSIS_SCHEMA.names if name != "position"}
    columns["position"] = pa.array(positions, pa.int32(), mask=~counted)
    return pa.table(columns).select(ANALYSIS_SCHEMA.names).cast(ANALYSIS_SCHEMA)
