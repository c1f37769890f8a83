"""Which test sets of different years are joined by a line, and what to know to compare them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import pairwise

from ....schema.brief import plural
from ....schema.database import Database
from ....schema.statements import Row
from ...people.notes import NOT_COMPARABLE
from ..comparison.sides import shared_sentences
from ..versions import version_remarks
from . import Entry, YearScore

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
    by_key = {(row["measure"], row["line"], row["group"], row["year"]): row for row in rows}
    groups = list(dict.fromkeys(row["group"] for row in rows))
    scores = []
    for measure in measures:
        for line, entries in lines.items():
            for group in groups:
                for before, entry in pairwise([None, *entries]):
                    row = by_key.get((measure, line, group, entry.year)) if entry else None
                    if row is None or entry is None:
                        continue
                    previous = by_key.get((measure, line, group, before.year)) if before else None
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
    comparison: Row = {"change": change, "same_test_set": same_test_set, "comparable": comparable}
    values: Row = {field.name: row.get(field.name) for field in fields(YearScore)}
    return YearScore(**(values | comparison))


MIXED = "of some systems written as text, of others as tokens, or by another version"


def remarks_on_lines(database: Database, lines: Lines, *, shared: bool) -> list[str]:
    """Return for each line the years between which the test set changes, with what they share.

    Of versions of one test set it is told how much of the references changed: on shared sentences
    as well.
    """
    entered = [entry.treebank_id for entries in lines.values() for entry in entries]
    versions = version_remarks(database, entered)
    notes = []
    for line, entries in lines.items():
        for before, entry in pairwise(entries):
            if entry.has_data_of(before):
                continue
            pair = before.treebank_id, entry.treebank_id
            if remark := versions.get(pair) or versions.get(pair[::-1]):
                notes.append(f"{line}: {remark}")
            if shared:
                continue
            common, _ = shared_sentences(database, before.treebank_id, entry.treebank_id)
            notes.append(
                f"{line}: the test sets of {_entry_text(before)} and {_entry_text(entry)} differ; "
                f"{_sentences_shared(len(common))}"
            )
    return notes


def _entry_text(entry: Entry) -> str:
    return f"{entry.year} ({entry.treebank_id}, {plural(entry.sentences, 'sentence')})"


def _sentences_shared(count: int) -> str:
    if not count:
        return "they share no sentence, so scores depend on the test sets as well as on the systems"
    return (
        f"they share {plural(count, 'sentence')} by text: --shared compares on what all years share"
    )


def remarks_on_scores(rows: Sequence[Row], lines: Lines) -> list[str]:
    """Return which scores are not comparable with each other, though they stand side by side."""
    notes = []
    mixed: dict[str, list[str]] = defaultdict(list)
    changed: dict[str, list[str]] = defaultdict(list)
    by_place = {(row["measure"], row["line"], row["year"]): row for row in rows}
    for (measure, line, year), row in by_place.items():
        if row["signatures"] > 1:
            mixed[f"{line} {year}"].append(measure)
        before = max((entry.year for entry in lines[line] if entry.year < year), default=None)
        previous = by_place.get((measure, line, before)) if before else None
        if previous and row["kind"] != "human" and not is_computed_alike(previous, row):
            changed[f"{line}: {before} and {year}"].append(measure)
    for place, measures in mixed.items():
        notes.append(f"{place}: {', '.join(measures)} {MIXED}: not all are comparable")
    for place, measures in changed.items():
        notes.append(f"{place} are not comparable by {', '.join(measures)}: computed differently")
    if any(row["kind"] == "human" for row in rows) and len({r["campaign_id"] for r in rows}) > 1:
        notes.append(NOT_COMPARABLE)
    return notes
