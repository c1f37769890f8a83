"""Labels of sentences, such as genre or author: columns of a table beside their ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.staging import Load, commit
from ...schema.statements import read_tuples
from ..formats import number_in, records_in
from ..names import sentence_ids
from ..outputs.reading import SENTENCE, OutputFile, of_system
from ..records import UNSTORABLE, Records, no_column
from .sources import NOT_LABELS, forget_slices, in_order

Values = Sequence[str | None]
"""A label's values, one for each sentence in their order; None: the sentence has none."""
LABEL = re.compile(r"[^\W\d_][\w.-]*")
LONGEST_VALUE = 100
"""Characters of a value: longer ones are texts."""
_HINT = "a label has few values, each of them at several sentences"


def ingest_labels(
    database: Database,
    path: Path,
    treebank_id: str,
    chosen: Sequence[str] | None = None,
    *,
    replace: bool = False,
) -> list[str]:
    """Load labels of a treebank's sentences from a table and return those that changed.

    The table (CSV, TSV, JSONL, Parquet, a list of JSON objects) has ids of sentences in a column,
    or a row for each sentence in their order. Its other columns are labels: those ``chosen``, else
    those whose values repeat. Labels that are there get values for further sentences.

    Raises InputError for a broken file, one that does not fit the sentences, a column that cannot
    be a label, and another value than a sentence has, unless ``replace`` is set: then labels
    of the file stand in place of those of the same names.
    """
    records = records_in(path)
    if records is None:
        raise InputError(
            "labels are read from a table",
            where=str(path),
            hint="CSV, TSV, JSONL, Parquet or a list of JSON objects, with a column for each label",
        )
    columns = _columns(records, chosen)
    name = SENTENCE.among(records.columns)
    ids = None if name is None else [value or "" for value in records.column(name)]
    labels = {}
    for label, values in columns.items():
        file = OutputFile(records.source, ids, [*values], records.lines)
        labels[label] = in_order(file, treebank_id, sentence_ids(database, treebank_id))
    return store_labels(database, treebank_id, labels, path, replace=replace)


def labels_beside(path: Path, id_column: str | None = None) -> Mapping[str, Values]:
    """Return the labels that a file of references has in further columns, in the order of these."""
    records = records_in(path)
    if records is None:
        return {}
    return _columns(of_system(records, None, id_column), None, required=False)


def repeating(columns: Mapping[str, Values]) -> Mapping[str, Values]:
    """Return those columns that are labels, by the names of these.

    They have two values or more, each at two sentences or more on average, and no numbers with
    fractions, which are scores.
    """
    labels: dict[str, Values] = {}
    for column, values in columns.items():
        name = label_name(column)
        plain = [None if value is None else " ".join(value.split()) or None for value in values]
        there = [value for value in plain if value is not None]
        distinct = {*there}
        scores = all(number_in(value) == number_in(value) for value in distinct) and any(
            not number_in(value).is_integer() for value in distinct
        )
        fits = all(
            len(value) <= LONGEST_VALUE and not UNSTORABLE.search(value) for value in distinct
        )
        if name and fits and 2 <= len(distinct) <= len(there) / 2 and not scores:
            labels.setdefault(name, plain)
    return labels


def label_name(text: str) -> str | None:
    """Return the name of a label: letters that none may have become hyphens; None for no name."""
    name = re.sub(r"[^\w.-]+", "-", text).strip("-_.")
    return name if LABEL.fullmatch(name) and len(name) <= LONGEST_VALUE else None


def store_labels(
    database: Database,
    treebank_id: str,
    labels: Mapping[str, Values],
    path: Path,
    *,
    replace: bool = False,
    conflict: bool = True,
) -> list[str]:
    """Store labels of a treebank's sentences, all or none, and return those that changed.

    Raises InputError where a sentence has another value and labels are not to be replaced; without
    ``conflict`` such labels stay as they are.
    """
    loads = []
    for label, values in labels.items():
        there = dict(read_tuples(database, "labels_there", treebank=treebank_id, label=label))
        new = {number: value for number, value in enumerate(values, start=1) if value is not None}
        other = next(
            (number for number, value in new.items() if there.get(number, value) != value), None
        )
        if other is not None and not replace and conflict:
            raise InputError(
                f"sentence {other} of '{treebank_id}' has the {label} '{there[other]}', "
                f"here '{new[other]}'",
                where=str(path),
                hint=f"replace it: 'tracker ingest labels FILE --treebank {treebank_id} --replace'",
            )
        wanted = new if replace else {**there, **new}
        if wanted != there and (other is None or replace):
            loads.append(_load(treebank_id, label, wanted, path))
    if not loads:
        return []
    changed = [load.target.removeprefix(f"{treebank_id} ") for load in loads]
    with database.transaction() as connection:
        connection.execute(
            "DELETE FROM sentence_label WHERE treebank_id = ? AND list_contains(?, label)",
            [treebank_id, changed],
        )
        commit(database, *loads)
        forget_slices(database, treebank_id)
    return changed


def _load(treebank_id: str, label: str, values: Mapping[int, str], path: Path) -> Load:
    rows = {
        "treebank_id": pa.repeat(treebank_id, len(values)),
        "sentence_no": pa.array([*values], pa.int32()),
        "label": pa.repeat(label, len(values)),
        "value": pa.array([*values.values()], pa.string()),
        "origin": pa.repeat("loaded", len(values)),
    }
    target, content = f"{treebank_id} {label}", content_hash(repr(sorted(values.items())))
    return Load(
        "labels", target, path.name, content, len(values), {"sentence_label": pa.table(rows)}
    )


def _columns(
    records: Records, chosen: Sequence[str] | None, *, required: bool = True
) -> Mapping[str, Values]:
    """Return the columns of a table that are labels: those chosen, else those that repeat.

    Raises InputError (file:line) for a chosen one that is not there or has long values, and where
    some are required and there are none.
    """
    if chosen is None:
        others = {
            name: values
            for name, values in records.columns.items()
            if name.lower() not in NOT_LABELS and name not in records.nested
        }
        labels = repeating(others)
        if required and not labels:
            there = ", ".join(others) or "none"
            raise InputError(
                f"no column of the file is a label; besides ids and texts there are: {there}",
                where=records.source,
                hint=f"{_HINT}; --label names a column that is one all the same",
            )
        return labels
    labels = {}
    for name in chosen:
        label = label_name(name)
        if label is None or label in labels:
            raise InputError(
                f"'{name}' cannot be the name of a label",
                where=records.source,
                hint="a letter, then letters, digits, dots, hyphens, underscores; name each once",
            )
        if name not in records.columns:
            raise no_column(name, records.columns, records.source)
        values = [value and (" ".join(value.split()) or None) for value in records.column(name)]
        _check_short(values, name, records.where)
        labels[label] = values
    return labels


def _check_short(values: Values, name: str, where: Callable[[int], str]) -> None:
    for row, value in enumerate(values):
        if value is not None and len(value) > LONGEST_VALUE:
            raise InputError(
                f"'{name}' has a value of {plural(len(value), 'character')}: a text, no label",
                where=where(row),
                hint=_HINT,
            )
