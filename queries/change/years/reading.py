"""The scores of the years by lines of test sets, from views or from what shared sentences score."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import fields
from itertools import groupby, pairwise
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from ....schema.brief import plural
from ....schema.database import Database
from ....schema.errors import UnknownNameError
from ....schema.iterations import unknown_measure
from ....schema.names import check_names
from ....schema.statements import Row, read_rows, read_tuples, statement
from ....schema.temporary import hold, table_of, temporary
from ...errors.jobs import usual_metrics_of
from ...metrics import formulas
from ...metrics.registry import source_of
from ...people.notes import NOT_COMPARABLE
from ..comparison.sides import shared_sentences
from ..significance.replicates import number_of, read_statistics
from ..versions import overlaid, version_remarks
from . import Choice, Entry, Point, Years, YearScore

Lines = dict[str, list[Entry]]
SYSTEM_KINDS = ("team", "baseline")
_Numbers: TypeAlias = dict[str, list[int]] | None
"""Those of sentences by treebank; None where a line has one test set alone."""


def read_years(database: Database, choice: Choice | None = None) -> Years:
    """Return what systems scored over the years, as in Pratapa et al. 2021, Figures 5 and 6.

    Campaigns without a year are left out. Only the latest iteration of each system counts.

    Raises UnknownNameError for names that the database does not hold.
    """
    choice = choice or Choice()
    with temporary(database):
        return _read(database, choice)


def _read(database: Database, choice: Choice) -> Years:
    entries = _entries(database, choice)
    lines = lines_of(entries)
    newest = max(entries, key=lambda entry: entry.year)
    kinds = _measures(database, choice, newest.campaign_id)
    measures = [*kinds]
    # What kind of measures they are spares the others: relations rest on every edge there is.
    parameters = {"measures": measures, "kinds": [*{*kinds.values()}]}
    _check_families(database, choice)
    _store_entries(database, lines)
    notes = remarks_on_lines(database, lines, shared=choice.shared)
    instead = {}
    if choice.shared:
        notes += store_shared_measures(database, lines, measures)
        instead = {"submission_measures": "FROM temp.shared_measures"}
    with overlaid(database, tables=instead) if instead else nullcontext():
        rows = read_rows(database, "year_scores", **parameters)
        of_families = (
            read_rows(database, "year_family_scores", **parameters) if choice.families else []
        )
        points = read_rows(database, "year_points", **parameters)
    kind = choice.system_kind or _kind_with_scores(rows)
    rows = [row for row in rows if row["system_kind"] == kind]
    notes += remarks_on_scores(rows, lines)
    rows += [row for row in of_families if row["family"] in choice.families]
    scores = with_changes(rows, measures, lines, shared=choice.shared)
    return Years(scores, [Point(**point) for point in points], kind, notes)


def _kind_with_scores(rows: Sequence[Row]) -> str:
    kinds = {row["system_kind"] for row in rows}
    return next((kind for kind in SYSTEM_KINDS if kind in kinds), SYSTEM_KINDS[0])


def _entries(database: Database, choice: Choice) -> list[Entry]:
    """Return the test sets asked for; an unknown language, campaign or treebank is an error."""
    entries = [Entry(**row) for row in read_rows(database, "year_entries")]
    if not entries:
        raise UnknownNameError(
            "there is no submission to a campaign with a year",
            hint="a campaign's year stands in its manifest, or at the end of its id",
        )
    for what, names, names_of in (
        ("language", choice.languages, lambda entry: (entry.language,)),
        ("campaign", choice.campaigns, lambda entry: (entry.campaign_id,)),
        ("treebank", choice.treebanks, lambda entry: (entry.treebank_id, entry.short_name)),
    ):
        existing = {name for entry in entries for name in names_of(entry) if name}
        check_names(what, names, existing, where="campaigns with a year")
        entries = [entry for entry in entries if not names or {*names_of(entry)} & {*names}]
    if not entries:
        raise UnknownNameError(
            "no test set is of all these languages, campaigns and treebanks",
            hint="'tracker show year_test_sets' lists them",
        )
    return entries


def _measures(database: Database, choice: Choice, campaign: str) -> dict[str, str]:
    """Return the kinds of the measures asked for, or of the usual ones; unknown is an error.

    Of the usual ones that comes first by which sentences of the campaign are shown.
    """
    execute = database.connection.execute
    query = "SELECT DISTINCT measure, kind FROM submission_measures WHERE {} ORDER BY ALL"
    if choice.measures:
        wanted = [*dict.fromkeys(choice.measures)]
        of_wanted = query.format("list_contains($measures, measure)")
        kinds = dict(execute(of_wanted, {"measures": wanted}).fetchall())
        unknown = [name for name in wanted if name not in kinds]
        if unknown:
            raise unknown_measure(database, unknown[0])
        return {name: kinds[name] for name in wanted}
    kinds = dict(execute(query.format("kind IN ('metric', 'human')")).fetchall())
    human = [measure for measure, kind in kinds.items() if kind == "human"]
    usual = [metric for metric in usual_metrics_of(database, campaign=campaign) if metric in kinds]
    return {measure: kinds[measure] for measure in [*usual, *human]}


def _check_families(database: Database, choice: Choice) -> None:
    query = "SELECT DISTINCT family FROM system WHERE family IS NOT NULL"
    families = {family for (family,) in database.connection.execute(query).fetchall()}
    check_names("family", choice.families, families, hint="a manifest declares it: family = …")


def _store_entries(database: Database, lines: Lines) -> None:
    members = [
        (line, entry.campaign_id, entry.treebank_id, entry.track)
        for line, entries in lines.items()
        for entry in entries
    ]
    names = dict.fromkeys(("line", "campaign_id", "treebank_id", "track"), pa.string())
    hold(database, "year_entry", table_of(members, **names))


def store_shared_measures(database: Database, lines: Lines, measures: Sequence[str]) -> list[str]:
    """Fill the temporary table ``shared_measures`` and return remarks: how many are shared.

    It has the columns of the view submission_measures, for the latest iterations on the lines.
    Where all years have one test set, its scores stay as they are. Else metrics are scored anew
    from the sufficient statistics of the shared sentences, relations from their edges, and people's
    scores are averaged over them. What rests on whole test sets, such as suspicion, is undefined.
    """
    shared = {line: common_sentences(database, entries) for line, entries in lines.items()}
    _store_shared(database, shared)
    connection = database.connection
    connection.execute(statement("year_measures"), {"measures": list(measures)})
    _store_metric_scores(database, shared)
    connection.execute(statement("year_shared_measures"))
    notes = [
        _shared_note(line, lines[line], sentences)
        for line, sentences in shared.items()
        if sentences is not None
    ]
    rows = read_tuples(database, "year_undefined_measures")
    if rows:
        names = ", ".join(measure for (measure,) in rows)
        notes.append(f"undefined on these sentences: {names}: not known of each of them alone")
    return notes


def common_sentences(database: Database, entries: Sequence[Entry]) -> _Numbers:
    """Return the numbers of the sentences that all test sets share, by treebank, in one order.

    None where they are one test set, or only one year.
    """
    newest = entries[-1]
    if all(entry.has_data_of(newest) for entry in entries):
        return None
    pairs = {
        entry.treebank_id: dict(
            zip(*shared_sentences(database, newest.treebank_id, entry.treebank_id), strict=True)
        )
        for entry in entries
    }
    common = sorted(set.intersection(*(set(of) for of in pairs.values())))
    return {treebank: [of[number] for number in common] for treebank, of in pairs.items()}


def _shared_note(line: str, entries: Sequence[Entry], sentences: dict[str, list[int]]) -> str:
    years = ", ".join(str(entry.year) for entry in entries)
    count = len(next(iter(sentences.values())))
    if not count:
        return f"{line}: the test sets of {years} share no sentence: undefined"
    sizes = ", ".join(f"{entry.sentences:,}" for entry in entries)
    return f"{line}: on the {count:,} sentences that {years} share (of {sizes})"


def _store_shared(database: Database, by_line: dict[str, _Numbers]) -> None:
    members = [
        (line, treebank, number)
        for line, treebanks in by_line.items()
        for treebank, numbers in (treebanks or {}).items()
        for number in numbers
    ]
    names = {"line": pa.string(), "treebank_id": pa.string()}
    hold(database, "year_sentence", table_of(members, **names, sentence_no=pa.int32()))
    shared = [line for line, treebanks in by_line.items() if treebanks is not None]
    hold(database, "year_shared_line", pa.table({"line": pa.array(shared, pa.string())}))


def _store_metric_scores(database: Database, shared: dict[str, _Numbers]) -> None:
    rows = read_tuples(database, "year_metric_groups")
    names = [*dict.fromkeys(submission for *_, submission in rows)]
    signatures = {
        (metric, submission): signature
        for metric, submission, signature in read_tuples(
            database, "current_signatures", submissions=names
        )
    }
    scores: list[tuple[str, str, float | None]] = []
    for (line, treebank, metric, signature), members in groupby(rows, lambda row: row[:4]):
        submissions = [submission for *_, submission in members]
        formula = formulas.formula_of(metric)
        stored_as = signatures.get((source_of(metric), submissions[0]), signature)
        numbers, statistics = read_statistics(database, formula, stored_as, submissions)
        wanted = (shared[line] or {})[treebank]
        wanted_rows = np.isin(numbers, wanted)
        complete = 0 < wanted_rows.sum() == len(wanted)
        over_shared = formulas.score_sums(database, formula, statistics[:, wanted_rows].sum(axis=1))
        scores += [
            (submission, metric, number_of(score) if complete else None)
            for submission, score in zip(submissions, over_shared, strict=True)
        ]
    of_scores = {"submission_id": pa.string(), "metric": pa.string(), "score": pa.float64()}
    hold(database, "year_metric_score", table_of(scores, **of_scores))


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
