"""Outputs that a program holds → texts with ids: a list, a dictionary or a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from ...schema.arrow import UNFIT
from ...schema.errors import HALF_A_PAIR, InputError
from .reading import ID_COLUMNS, TEXT_COLUMNS, OutputFile

SOURCE = "outputs"
_KINDS = "a list of texts in the treebank's order, a dictionary by sent_id, or a table of both"


def outputs_in_memory(
    outputs: Any, *, id_column: str | None = None, text_column: str | None = None
) -> OutputFile:
    """Return outputs that a program holds; None, NaN and blanks only count as none given.

    ``outputs`` is a sequence of texts in the treebank's order, a mapping from sent_id to text, or a
    table (pandas, Arrow or any other that speaks Arrow's stream interface) with a column of texts
    and, where they are not in the treebank's order, one of sentence ids. Columns are found by their
    usual names (ID_COLUMNS, TEXT_COLUMNS) unless given.

    Raises InputError for anything else; items are counted from 1 (outputs:3).
    """
    if _is_table(outputs):
        return _from_table(*_columns(outputs), id_column, text_column)
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


def _from_table(
    names: list[str],
    values_of: Callable[[str], Iterable[Any]],
    id_column: str | None,
    text_column: str | None,
) -> OutputFile:
    text_name = text_column or _first_of(TEXT_COLUMNS, names) or TEXT_COLUMNS[0]
    id_name = id_column or _first_of(ID_COLUMNS, names)
    for name in filter(None, (text_name, id_name)):
        _check_column(names, name)
    texts = [*values_of(text_name)]
    return _output_file(None if id_name is None else _ids([*values_of(id_name)]), texts)


def _check_column(names: Sequence[str], name: str) -> None:
    found = names.count(name)
    if found != 1:
        problem = f"{found} columns are named" if found else "there is no column"
        raise InputError(
            f"{problem} '{name}'",
            where=SOURCE,
            hint=f"name one of the table's columns: {', '.join(map(str, names))}",
        )


def _first_of(wanted: Sequence[str], names: Sequence[str]) -> str | None:
    return next((name for name in wanted if name in names), None)


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
            f"the {what} holds a character that is none: NUL or half a surrogate pair",
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
