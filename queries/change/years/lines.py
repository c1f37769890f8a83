"""Which test sets of different years are joined by a line, and how scores change along it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import pairwise

from sr_tracker.queries.change.years.model import Entry, YearScore
from sr_tracker.schema.statements import Row

Lines = dict[str, list[Entry]]


_NAMES: tuple[Callable[[Entry], str], ...] = (
    lambda entry: entry.language or entry.treebank_id,
    lambda entry: entry.short_name,
    lambda entry: f"{entry.short_name}-{entry.split}" if entry.split else entry.short_name,
    lambda entry: entry.treebank_id,
    lambda entry: f"{entry.treebank_id} {entry.campaign_id}",
)


def lines_of(entries: Sequence[Entry]) -> Lines:
    """Return the lines by name, each with at most one test set a year, in order.

    A line joins the test sets of a language. Where a year has several of them, those of one corpus
    are joined; then those of one split, of one treebank, and of one campaign. Tracks are apart.
    """
    groups: dict[tuple[str | None, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.language, entry.track].append(entry)
    several_tracks = len({entry.track for entry in entries}) > 1
    lines: Lines = defaultdict(list)
    for (_, track), members in groups.items():
        name = next((name for name in _NAMES if _one_a_year(members, name)), _NAMES[-1])
        for entry in members:
            lines[f"{name(entry)} ({track})" if several_tracks else name(entry)].append(entry)
    return {
        name: sorted(lines[name], key=lambda entry: (entry.year, entry.campaign_id))
        for name in sorted(lines)
    }


def _one_a_year(entries: Sequence[Entry], name: Callable[[Entry], str]) -> bool:
    return max(Counter((entry.year, name(entry)) for entry in entries).values()) == 1


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
