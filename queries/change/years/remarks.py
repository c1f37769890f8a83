"""What a reader must know about the years: test sets and ways of scoring that differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from sr_tracker.queries.change.comparison.sides import shared_sentences
from sr_tracker.queries.change.drift.sentences import version_remarks
from sr_tracker.queries.change.years.lines import Lines, is_computed_alike
from sr_tracker.queries.change.years.model import Entry
from sr_tracker.schema.brief import plural
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import Row

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
            if told := versions.get(pair) or versions.get(pair[::-1]):
                notes.append(f"{line}: {told}")
            if shared:
                continue
            common, _ = shared_sentences(database, before.treebank_id, entry.treebank_id)
            notes.append(
                f"{line}: the test sets of {_told(before)} and {_told(entry)} differ; "
                f"{_sentences_shared(len(common))}"
            )
    return notes


def _told(entry: Entry) -> str:
    return f"{entry.year} ({entry.treebank_id}, {plural(entry.sentences, 'sentence')})"


def _sentences_shared(count: int) -> str:
    if not count:
        return "they share no sentence, so that scores tell of test sets as well as of systems"
    return (
        f"they share {plural(count, 'sentence')} by text: --shared compares on what all years share"
    )


def remarks_on_scores(rows: Sequence[Row], lines: Lines) -> list[str]:
    """Return which scores are not comparable with each other, though they stand side by side."""
    from sr_tracker.queries.people.notes import NOT_COMPARABLE

    notes = []
    mixed: dict[str, list[str]] = defaultdict(list)
    changed: dict[str, list[str]] = defaultdict(list)
    by_place = {(row["measure"], row["line"], row["year"]): row for row in rows}
    for (measure, line, year), row in by_place.items():
        if row["signatures"] > 1:
            mixed[f"{line} {year}"].append(measure)
        before = _year_before(lines[line], year)
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


def _year_before(entries: Sequence[Entry], year: int) -> int | None:
    years = [entry.year for entry in entries if entry.year < year]
    return years[-1] if years else None
