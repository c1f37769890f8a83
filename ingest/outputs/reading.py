"""Outputs → texts with ids: files of all formats, and what a program holds.

Files are shared-task text, lines, CoNLL-U, CSV, TSV, JSONL, JSON or Parquet; a program gives a
list, a dictionary or a table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unicodedata import is_normalized, normalize

import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import HALF_A_PAIR, InputError
from ..analysers import ANALYSIS_SCHEMA
from ..formats import UNFIT, Column, Columns, Format, UserFile, read_file
from ..records import Placed, Records, check_records, read_records, records_of
from ..treebanks.conllu import ConlluFile, parse_conllu
from ..treebanks.conllu_columns import conllu_tables, positions_within, read_heads, surface_texts

_LINE = re.compile(r"#\s*(?:sent_id\s*=(.*)|text\s*=\s?(.*))")
_SHARED_TASK = re.compile(r"^#[^\S\n]*(sent_id|text)[^\S\n]*=", re.MULTILINE)
_JSON_HINT = (
    "outputs are a list of objects, such as "
    '{"sent_id": "1", "text": "…"}, a list of texts, or an object of texts by sent_id'
)
SENTENCE = Column("sent_id", ["sent_id", "id", "sentence_id", "sentence_no"], option="--id-column")
COLUMNS = Columns(
    "outputs",
    (
        SENTENCE,
        Column(
            "text",
            ["text", "output", "hypothesis", "prediction"],
            required=True,
            option="--text-column",
        ),
    ),
)


@dataclass(frozen=True)
class OutputFile(Placed):
    """The outputs of a file in its order; ``ids`` is None where outputs are aligned by position."""

    source: str
    ids: list[str] | None
    texts: list[str | None]
    lines: list[int]
    tokens: pa.Table | None = None
    """Analysed words (ANALYSIS_SCHEMA), where sentence_no counts the file's outputs from 1."""


def read_outputs(
    path: Path, *, id_column: str | None = None, text_column: str | None = None
) -> OutputFile:
    """Return the outputs of a file; an output of blanks only counts as none given (None).

    The suffix tells CoNLL-U, CSV, TSV, JSONL and Parquet; other files are shared-task text where
    a line reads ``# sent_id = …`` or ``# text = …``, else one output a line.

    Raises InputError (file:line) for whatever does not fit the format.
    """
    return read_file(path, _FORMATS, id_column, text_column)


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


def _text_or_none(text: str | None) -> str | None:
    return text if text and text.strip() else None


def _from_lines(file: UserFile, *_: object) -> OutputFile:
    lines = file.lines()
    check_records(file.source, len(lines))
    texts = [_text_or_none(line) for line in lines]
    return OutputFile(file.source, None, texts, [*range(1, len(lines) + 1)])


def _from_shared_task(file: UserFile, *_: object) -> OutputFile:
    ids: list[str] = []
    texts: list[str | None] = []
    numbers: list[int] = []
    awaiting_text = False
    for number, line in file.filled_lines():
        match = _LINE.fullmatch(line)
        sent_id, text = match.groups() if match else (None, None)
        if sent_id is not None:
            ids.append(sent_id.strip())
            texts.append(None)
            numbers.append(number)
            awaiting_text = True
        elif text is not None and awaiting_text:
            texts[-1] = _text_or_none(text)
            awaiting_text = False
        else:
            raise InputError(
                "the line is neither sent_id nor text"
                if text is None
                else "a text without its sent_id",
                where=file.where(number),
                hint="each output is '# sent_id = ID', then '# text = TEXT', then a blank line",
            )
    return OutputFile(file.source, ids, texts, numbers)


def _from_table(file: UserFile, id_column: str | None, text_column: str | None) -> OutputFile:
    return _from_records(read_records(file.path), id_column, text_column)


def _from_records(records: Records, id_column: str | None, text_column: str | None) -> OutputFile:
    mapped = {"sent_id": id_column, "text": text_column}
    table = COLUMNS.table(records, {name: column for name, column in mapped.items() if column})
    texts = [_text_or_none(text) for text in table.texts("text")]
    if not table.has("sent_id"):
        return OutputFile(table.source, None, texts, table.lines)
    ids = table.texts("sent_id")
    if None in ids:
        raise InputError(
            f"'{table.names['sent_id']}' is empty",
            where=table.where(ids.index(None)),
            hint="give every output its id, or drop the column to align by position",
        )
    return OutputFile(table.source, [str(sent_id) for sent_id in ids], texts, table.lines)


def _from_json(file: UserFile, id_column: str | None, text_column: str | None) -> OutputFile:
    """Return the outputs of a list of objects or texts, or of an object of texts by sent_id."""
    value = file.json(_JSON_HINT)
    if isinstance(value, dict) and all(isinstance(text, str | None) for text in value.values()):
        value = [{"sent_id": sent_id, "text": text} for sent_id, text in value.items()]
    elif isinstance(value, list) and all(isinstance(text, str | None) for text in value):
        value = [{"text": text} for text in value]
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError("the JSON value holds no outputs", where=file.source, hint=_JSON_HINT)
    check_records(file.source, len(value))
    places = [*range(1, len(value) + 1)]
    return _from_records(records_of(value, places, file.source), id_column, text_column)


def _from_conllu(file: UserFile, *_: object) -> OutputFile:
    parsed = parse_conllu(file.text, file.source)
    tables = conllu_tables(parsed, read_heads(parsed))
    if tables.hidden:
        raise InputError(
            "every form is hidden (_)", where=file.source, hint="an output needs its words"
        )
    _, joined = surface_texts(tables, len(parsed.lengths))
    texts = zip(parsed.texts, joined.to_pylist(), strict=True)
    return OutputFile(
        file.source,
        _conllu_ids(parsed),
        [_text_or_none(text) or words for text, words in texts],
        parsed.lines,
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


_FORMATS = (
    Format("CoNLL-U", _from_conllu, lambda file: file.suffix == ".conllu"),
    Format("table", _from_table, lambda file: file.is_table),
    Format("one JSON value", _from_json, lambda file: file.suffix == ".json"),
    Format(
        "shared-task text", _from_shared_task, lambda file: bool(_SHARED_TASK.search(file.text))
    ),
    Format("lines", _from_lines),
)


SOURCE = "outputs"
"""What a program's own outputs are called in messages."""
_KINDS = "a list of texts in the treebank's order, a dictionary by sent_id, or a table of both"


def outputs_in_memory(
    outputs: Any, *, id_column: str | None = None, text_column: str | None = None
) -> OutputFile:
    """Return outputs that a program holds; None, NaN and blanks only count as none given.

    ``outputs`` is a sequence of texts in the treebank's order, a mapping from sent_id to text, or a
    table (pandas, Arrow or any other that speaks Arrow's stream interface) with a column of texts
    and, where they are not in the treebank's order, one of sentence ids. Columns are found by their
    usual names (COLUMNS) unless given.

    Raises InputError for anything else; items are counted from 1 (outputs:3).
    """
    if _is_table(outputs):
        return _from_columns(*_columns(outputs), id_column, text_column)
    if isinstance(outputs, Mapping):
        return _output_file(_ids(list(outputs)), list(outputs.values()))
    if isinstance(outputs, Iterable) and not isinstance(outputs, str | bytes):
        return _output_file(None, _values(outputs))
    raise InputError(f"outputs cannot be {_kind(outputs)}", hint=f"give {_KINDS}")


def _is_table(outputs: Any) -> bool:
    return isinstance(outputs, pa.Table | pa.RecordBatch) or (
        hasattr(outputs, "__arrow_c_stream__") and hasattr(outputs, "columns")
    )


def _columns(outputs: Any) -> tuple[list[str], Callable[[str], Iterable[Any]]]:
    """Return the names of a table's columns, and what gives the values of one."""
    try:
        table = pa.table(outputs)
    except UNFIT:  # a data frame may hold what Arrow does not: the values tell which
        return [*outputs.columns], outputs.__getitem__
    return table.column_names, lambda name: table[name].to_pylist()


def _from_columns(
    names: list[str],
    values_of: Callable[[str], Iterable[Any]],
    id_column: str | None,
    text_column: str | None,
) -> OutputFile:
    sent_id, text = COLUMNS.columns
    text_name = text_column or text.among(names) or text.expected_name
    id_name = id_column or sent_id.among(names)
    for name in filter(None, (text_name, id_name)):
        _check_column(names, name)
    texts = [*values_of(text_name)]
    return _output_file(None if id_name is None else _ids([*values_of(id_name)]), texts)


def _check_column(names: Sequence[str], name: str) -> None:
    count = names.count(name)
    if count != 1:
        problem = f"{count} columns are named" if count else "there is no column"
        raise InputError(
            f"{problem} '{name}'",
            where=SOURCE,
            hint=f"name one of the table's columns: {', '.join(map(str, names))}",
        )


def _values(outputs: Iterable[Any]) -> list[Any]:
    if isinstance(outputs, pa.Array | pa.ChunkedArray):
        return list(outputs.to_pylist())
    return list(outputs)


def _output_file(ids: list[str] | None, values: Sequence[Any]) -> OutputFile:
    texts = [_text(value, item) for item, value in enumerate(values, start=1)]
    return OutputFile(SOURCE, ids, texts, [*range(1, len(texts) + 1)])


def _text(value: Any, item: int) -> str | None:
    if _is_missing(value):
        return None
    if not isinstance(value, str):
        raise InputError(
            f"the output is {_kind(value)}, not a text",
            where=f"{SOURCE}:{item}",
            hint=f"decode outputs to texts first, and give {_KINDS}",
        )
    _check_characters(value, "output", item)
    return str(value) if value.strip() else None


def _check_characters(value: str, what: str, item: int) -> None:
    if "\0" in value or HALF_A_PAIR.search(value):
        raise InputError(
            f"the {what} holds an invalid character: NUL or half a surrogate pair",
            where=f"{SOURCE}:{item}",
            hint="decode bytes as UTF-8",
        )


def _ids(values: Sequence[Any]) -> list[str]:
    ids = []
    for item, value in enumerate(values, start=1):
        if _is_missing(value):
            raise InputError(
                "the output has no sentence id",
                where=f"{SOURCE}:{item}",
                hint="give every output its id, or give a list in the treebank's order",
            )
        whole = isinstance(value, float) and value.is_integer()
        ids.append(str(int(value) if whole else value))
        _check_characters(ids[-1], "sentence id", item)
    return ids


def _is_missing(value: Any) -> bool:
    # Not a number is how data frames write what is missing; pandas' own NA is no number at all.
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _kind(value: Any) -> str:
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
