"""Reading the scores of the years from the views, or from what shared sentences score."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from itertools import groupby
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from ....schema.database import Database
from ....schema.errors import UnknownNameError
from ....schema.iterations import unknown_measure
from ....schema.names import check_names
from ....schema.statements import Row, read_rows, read_tuples, statement
from ....schema.temporary import hold, table_of, temporary
from ...metrics import formulas
from ...metrics.registry import source_of, usual_metrics
from ..comparison.sides import shared_sentences
from ..significance.replicates import number_of, read_statistics
from ..versions import overlaid
from . import Choice, Entry, Point, Years
from .lines import Lines, lines_of, remarks_on_lines, remarks_on_scores, with_changes

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
    lines = lines_of(_entries(database, choice))
    kinds = _measures(database, choice)
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


def _measures(database: Database, choice: Choice) -> dict[str, str]:
    """Return the kinds of the measures asked for, or of the usual ones; unknown is an error."""
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
    usual = [metric for metric in usual_metrics() if metric in kinds]
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
