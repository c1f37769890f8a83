"""The scores of a line in order, each with its change since the year before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any

from sr_tracker.queries.change.years.lines import Lines
from sr_tracker.queries.change.years.model import YearScore

Row = dict[str, Any]


def with_changes(
    rows: Sequence[Row], measures: Sequence[str], lines: Lines, *, shared: bool
) -> list[YearScore]:
    """Return the rows of the views by measure, line, group and year, in the order given.

    A change is the best score minus that of the line's year before. ``shared`` says that all years
    of a line rest on the same sentences.
    """
    found = {(row["measure"], row["line"], row["group"], row["year"]): row for row in rows}
    groups = list(dict.fromkeys(row["group"] for row in rows))
    scores = []
    for measure in measures:
        for line, entries in lines.items():
            for group in groups:
                for before, entry in pairwise([None, *entries]):
                    row = found.get((measure, line, group, entry.year)) if entry else None
                    if row is None or entry is None:
                        continue
                    previous = found.get((measure, line, group, before.year)) if before else None
                    alike = previous is not None and is_computed_alike(previous, row)
                    same = entry.has_data_of(before) if before else None
                    change = row["best"] - previous["best"] if previous and alike else None
                    scores.append(_score(row, change, same, alike and bool(same or shared)))
    return scores


def is_computed_alike(one: Row, other: Row) -> bool:
    """Return whether scores of two years are of one kind, as far as is known.

    z-scores of two campaigns are not: each is relative to its annotators and outputs. Families
    carry no signature.
    """
    signatures = one.get("signature"), other.get("signature")
    return one["kind"] != "human" and (None in signatures or signatures[0] == signatures[1])


def _score(
    row: Row, change: float | None, same_test_set: bool | None, comparable: bool
) -> YearScore:
    told: Row = {"change": change, "same_test_set": same_test_set, "comparable": comparable}
    values: Row = {field.name: row.get(field.name) for field in fields(YearScore)}
    return YearScore(**(values | told))
