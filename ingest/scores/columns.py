"""What tables of scores and of judgements call their columns, and those with one for each name."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..formats import Column, Columns, number_in, records_in
from ..outputs.reading import SENTENCE, SYSTEM
from ..records import Records, check_records, read_records

NONE = ("None", "null")
"""What files of scores have where there is none."""


def named_column(
    field_name: str, *names: str, option: str = "", absent: str = "leave the cell empty"
) -> Column:
    """Return a column that a user names with -c; ``option`` is what names one value of all rows."""
    mapped = f"-c {field_name}=COLUMN"
    says = f"{option} NAME or {mapped}" if option else mapped
    return Column(field_name, [field_name, *names], option=says, absent=absent)


SCORED = (
    named_column("submission", "submission_id", option="--submission"),
    named_column(*SYSTEM.called, option="--system"),
    named_column("treebank", "treebank_id", "test_set", option="--treebank"),
    named_column("iteration"),
    named_column(
        "sent_id",
        *(name for name in SENTENCE.called if name not in ("sent_id", "id")),
        *("segment", "seg_id", "sentence", "line", "id", "item_id"),
    ),
)
"""What tables of scores and of judgements call what a row is about."""
CRITERION = named_column("criterion", "aspect", "dimension", option="--criterion")


def scored_records(path: Path) -> Records:
    """Return the records of a table, or of a list of objects in a JSON file.

    Raises InputError (file:line) for any other file.
    """
    return records_in(path) or read_records(path)


def by_column(
    columns: Columns,
    records: Records,
    mapped: Mapping[str, str] | None,
    fixed: Mapping[str, str | None],
    fields: Sequence[str],
    *,
    needed: Collection[str] = (),
    empty: bool = True,
    lowest: float = -math.inf,
    highest: float = math.inf,
) -> tuple[Records, list[str], list[str]]:
    """Return records with a row for each number of a table that has a column for each name.

    ``fields`` are those of the name and of the number, such as criterion and score. It is a table
    in which nothing tells either, and something all that is ``needed``: every column of numbers
    from ``lowest`` to ``highest`` that is none of ``columns`` is called as a name then. With it
    come these names, none for other tables, and the columns that are left out. A cell that is
    ``empty`` has a row as well.
    """
    names = {
        column.field: (mapped or {}).get(column.field) or column.among(records.columns)
        for column in columns.columns
    }
    there = {name for name, column in names.items() if column or fixed.get(name)}
    others = [
        name
        for name in records.columns
        if name not in names.values()
        and not any(column.among([name]) for column in columns.columns)
    ]
    if there.intersection(fields) or not there.issuperset(needed):
        return records, [], others
    numbers = {
        name: records.columns[name]
        for name in others
        if name not in records.nested and _within(records.numerals(name), lowest, highest)
    }
    most = len(records.lines) * len(numbers)
    check_records(records.source, most, most * (len(records.columns) - len(numbers) + len(fields)))
    places = [
        (row, name)
        for row in range(len(records.lines))
        for name, values in numbers.items()
        if empty or values[row] is not None
    ]
    if not places:
        return records, [], others
    rows = records.only([row for row, _ in places])
    named = {name: values for name, values in rows.columns.items() if name not in numbers}
    named[fields[0]] = [name for _, name in places]
    named[fields[1]] = [numbers[name][row] for row, name in places]
    left = [name for name in others if name not in numbers]
    return replace(rows, columns=named), [*numbers], left


def _within(values: Sequence[str | None], lowest: float, highest: float) -> bool:
    """Return whether values are numbers between two, and not all missing."""
    numbers = [number_in(value) for value in values if value not in (None, *NONE)]
    return bool(numbers) and all(lowest <= number <= highest for number in numbers)
