"""Outputs that a program holds → texts with ids: a list, a dictionary or a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from os.path import isfile
from pathlib import Path
from typing import Any

import pyarrow as pa

from ...schema.errors import HALF_A_PAIR, InputError
from ..formats import UNFIT
from .reading import COLUMNS, OutputFile, by_trial, described, of_lists, read_trials, with_trials

SOURCE = "outputs"
"""What a program's own outputs are called in messages."""
_KINDS = "a list of texts in the treebank's order, a dictionary by sent_id, or a table of both"


def outputs_in_memory(
    outputs: Any,
    *,
    id_column: str | None = None,
    text_column: str | None = None,
    system: str | None = None,
) -> OutputFile:
    """Return outputs that a program holds; None, NaN and blanks only count as none given.

    ``outputs`` is a sequence of texts in the treebank's order, a mapping from sent_id to text, or a
    table (pandas, Arrow or any other that speaks Arrow's stream interface) with a column of texts
    and, where they are not in the treebank's order, one of sentence ids. Columns are found by their
    usual names (COLUMNS) unless given.

    A list of any of these, of paths or of names of files that are there (read as ``read_outputs``
    does, of a ``system``) is of several trials; so is a mapping, or a table, with a list of texts
    for each sentence.

    Raises InputError for anything else; items are counted from 1 (outputs:3).
    """
    columns = {"id_column": id_column, "text_column": text_column, "system": system}
    if _is_table(outputs):
        return _from_columns(*_columns(outputs), id_column, text_column)
    if isinstance(outputs, Mapping):
        return _output_file(_ids(list(outputs)), list(outputs.values()), several=True)
    if isinstance(outputs, Iterable) and not isinstance(outputs, str | bytes):
        values = _values(outputs)
        if values and _are_files(values):
            return read_trials([*map(Path, values)], **columns)
        if values and all(_is_trial(value) for value in values):
            return with_trials([outputs_in_memory(value, **columns) for value in values])
        return _output_file(None, values)
    raise InputError(f"outputs cannot be {described(outputs)}", hint=f"give {_KINDS}")


def _are_files(values: Sequence[Any]) -> bool:
    """Return whether all items are paths, or all names of files that are there."""
    named = all(isinstance(value, str) for value in values) and all(map(isfile, values))
    return named or all(isinstance(value, Path) for value in values)


def _is_trial(value: Any) -> bool:
    """Return whether an item of a list is itself a list, a dictionary or a table of outputs."""
    several = isinstance(value, Sequence | Mapping | pa.Array | pa.ChunkedArray)
    return _is_table(value) or (several and not isinstance(value, str | bytes))


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
    sent_id, text, trial = COLUMNS.columns
    text_name = text_column or text.among(names) or text.expected_name
    id_name = id_column or sent_id.among(names)
    for name in filter(None, (text_name, id_name)):
        _check_column(names, name)
    ids = None if id_name is None else _ids([*values_of(id_name)])
    file = _output_file(ids, [*values_of(text_name)], several=True)
    trial_name = trial.among(names)
    if trial_name is None or file.further:
        return file
    labels = [None if _is_missing(value) else str(value) for value in values_of(trial_name)]
    return by_trial(file, labels)


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


def _output_file(
    ids: list[str] | None, values: Sequence[Any], *, several: bool = False
) -> OutputFile:
    """Return outputs; with ``several``, a list has one for each trial."""
    file = OutputFile(SOURCE, ids, [], [*range(1, len(values) + 1)])
    if several and any(isinstance(value, list | tuple) for value in values):
        lists = [value if isinstance(value, list | tuple) else [value] for value in values]
        return of_lists(
            file,
            [[_text(text, item) for text in some] for item, some in enumerate(lists, start=1)],
        )
    texts = [_text(value, item) for item, value in enumerate(values, start=1)]
    return replace(file, texts=texts)


def _text(value: Any, item: int) -> str | None:
    if _is_missing(value):
        return None
    if not isinstance(value, str):
        raise InputError(
            f"the output is {described(value)}, not a text",
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
