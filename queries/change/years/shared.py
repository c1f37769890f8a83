"""Scores on the sentences alone that the test sets of all years of a line share, by text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ....schema.database import Database
from ....schema.statements import read_tuples, statement
from ....schema.temporary import hold, table_of
from ...metrics import metrics
from ..comparison.sides import shared_sentences
from . import Entry
from .lines import Lines

if TYPE_CHECKING:
    from ...functions.statistics import Floats, Integers


def store_shared_measures(database: Database, lines: Lines, measures: Sequence[str]) -> list[str]:
    """Fill the temporary table ``shared_measures`` and return remarks: how many are shared.

    It has the columns of the view submission_measures, for the latest iterations on the lines.
    Where all years have one test set, its scores stay as they are. Else metrics are scored anew
    from the sufficient statistics of the shared sentences, relations from their edges, and people's
    scores are averaged over them. What rests on whole test sets, such as suspicion, is undefined.
    """
    kept = {line: common_sentences(database, entries) for line, entries in lines.items()}
    _store_kept(database, kept)
    connection = database.connection
    connection.execute(statement("year_measures"), {"measures": list(measures)})
    _store_metric_scores(database)
    connection.execute(statement("year_shared_measures"))
    notes = [_told(line, lines[line], found) for line, found in kept.items() if found is not None]
    rows = read_tuples(database, "year_undefined_measures")
    if rows:
        names = ", ".join(measure for (measure,) in rows)
        notes.append(f"undefined on these sentences: {names}: not known of each of them alone")
    return notes


def common_sentences(database: Database, entries: Sequence[Entry]) -> dict[str, list[int]] | None:
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


def _told(line: str, entries: Sequence[Entry], sentences: dict[str, list[int]]) -> str:
    years = ", ".join(str(entry.year) for entry in entries)
    count = len(next(iter(sentences.values())))
    if not count:
        return f"{line}: the test sets of {years} share no sentence: undefined"
    sizes = ", ".join(f"{entry.sentences:,}" for entry in entries)
    return f"{line}: on the {count:,} sentences that {years} share (of {sizes})"


def _store_kept(database: Database, kept: dict[str, dict[str, list[int]] | None]) -> None:
    members = [
        (line, treebank, number)
        for line, treebanks in kept.items()
        for treebank, numbers in (treebanks or {}).items()
        for number in numbers
    ]
    names = {"line": pa.string(), "treebank_id": pa.string()}
    hold(database, "year_sentence", table_of(members, **names, sentence_no=pa.int32()))
    shared = [line for line, treebanks in kept.items() if treebanks is not None]
    hold(database, "year_shared_line", pa.table({"line": pa.array(shared, pa.string())}))


def _store_metric_scores(database: Database) -> None:
    rows = read_tuples(database, "year_metric_groups")
    found: list[tuple[str, str, float | None]] = []
    for (line, treebank, metric, signature), members in groupby(rows, lambda row: row[:4]):
        submissions = [submission for *_, submission in members]
        found += _metric_scores(database, line, treebank, metric, signature, submissions)
    names = {"submission_id": pa.string(), "metric": pa.string()}
    hold(database, "year_metric_score", table_of(found, **names, score=pa.float64()))


def _metric_scores(
    database: Database,
    line: str,
    treebank: str,
    metric: str,
    signature: str,
    submissions: Sequence[str],
) -> list[tuple[str, str, float | None]]:

    from ..significance.replicates import (
        formula_of,
        number_of,
        read_statistics,
        score_sums,
    )

    known = metrics().get(metric)
    base = known.statistics_of if known and known.statistics_of else metric
    formula = formula_of(metric)
    places = _places(database, line, treebank)
    stored_as = _statistics_signature(database, base, submissions[0], signature)
    statistics = read_statistics(database, formula, stored_as, submissions)
    if not len(places) or statistics.shape[1] <= places[-1]:
        return [(submission, metric, None) for submission in submissions]
    sums: Floats = statistics[:, places].sum(axis=1)
    scores = score_sums(database, formula, sums)
    return [
        (submission, metric, number_of(score))
        for submission, score in zip(submissions, scores, strict=True)
    ]


def _places(database: Database, line: str, treebank: str) -> Integers:
    """Return the places of the kept sentences among all of the treebank."""
    rows = database.connection.execute(
        statement("year_sentence_places"), {"line": line, "treebank": treebank}
    ).fetchnumpy()
    return np.asarray(rows["place"], np.int64)


def _statistics_signature(database: Database, metric: str, submission: str, otherwise: str) -> str:
    row = database.connection.execute(
        "SELECT signature_id FROM current_scoring WHERE metric = ? AND submission_id = ?",
        [metric, submission],
    ).fetchone()
    return str(row[0]) if row else otherwise
