"""Which scores were computed alike, what must not be compared, and why."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sr_tracker.queries.change.comparison.model import Side
from sr_tracker.queries.change.comparison.sides import read_side
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import TrackerError
from sr_tracker.schema.statements import statement


@dataclass(frozen=True)
class StoredScore:
    """A submission's score and how it was computed."""

    metric: str
    submission_id: str
    signature_id: str
    parameters: str
    text_level: str
    tokeniser: str
    versions: str
    data_sha256: str
    score: float | None
    undefined_reason: str | None

    @property
    def way(self) -> tuple[str, str, str, str]:
        """How it was computed, whatever the references."""
        return self.parameters, self.text_level, self.tokeniser, self.versions


Scores = Mapping[tuple[str, str], Sequence[StoredScore]]
"""By metric and submission, the newest first."""


@dataclass(frozen=True)
class Alike:
    """A score by one metric of each submission."""

    scores: Sequence[StoredScore]
    """In the order of the submissions."""
    comparable: bool
    """Whether all were computed alike."""
    newest: bool
    """Whether each is the submission's newest."""


def read_scores(database: Database, submissions: Sequence[str]) -> Scores:
    """Return all scores of some submissions, superseded ones included."""
    rows = database.connection.execute(
        statement("compared_scores"), {"submissions": list(submissions)}
    ).fetchall()
    found: dict[tuple[str, str], list[StoredScore]] = {}
    for row in rows:
        score = StoredScore(*row)
        found.setdefault((score.metric, score.submission_id), []).append(score)
    return found


def scored_alike(
    scores: Scores, metric: str, submissions: Sequence[str], *, same_references: bool
) -> Alike | None:
    """Return the newest scores by a metric that were computed alike; None where one has no score.

    Where no way of computing is common to all, their newest scores are returned as not comparable.
    """
    of_each = [scores.get((metric, submission), []) for submission in submissions]
    if not all(of_each):
        return None
    newest = [of_one[0] for of_one in of_each]
    for first in of_each[0]:
        same = [
            next((other for other in of_one if _same_way(first, other, same_references)), None)
            for of_one in of_each
        ]
        found = [score for score in same if score is not None]
        if len(found) == len(same):
            return Alike(found, comparable=True, newest=found == newest)
    return Alike(newest, comparable=False, newest=True)


def _same_way(one: StoredScore, other: StoredScore, same_references: bool) -> bool:
    return one.way == other.way and (not same_references or one.data_sha256 == other.data_sha256)


_RESCORE = "'tracker rescore' brings both up to date"


class IncomparableError(TrackerError):
    """Submissions whose scores say nothing about each other."""


def objections(database: Database, new: str, base: str, metrics: Sequence[str]) -> list[str]:
    """Return why two submissions must not be compared by these measures; empty where they may.

    Their treebank must be the same, and what each metric compares with, what analysed the words it
    rests on, its parameters and versions: where the newest scores differ in these, older ones that
    both have will do. A relation rests on its metric, as dea[nsubj] on dea. Metrics that one of
    them is not scored by are no objection: they are undefined.

    Raises UnknownNameError where there is no such submission.
    """
    sides = read_side(database, new), read_side(database, base)
    found = []
    if sides[0].treebank_id != sides[1].treebank_id:
        found.append(
            f"they are of different treebanks: {sides[0].treebank_id} and {sides[1].treebank_id}"
        )
    reasons: dict[str, list[str]] = {}
    for metric, alike in _alike(database, sides, metrics).items():
        if not alike.comparable:
            for reason in _reasons(alike.scores, sides):
                reasons.setdefault(reason, []).append(metric)
    return found + [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]


def check(
    database: Database, new: str, base: str, metrics: Sequence[str], *, force: bool = False
) -> list[str]:
    """Return the objections against comparing two submissions.

    Raises IncomparableError where there are any, unless it is forced.
    """
    found = objections(database, new, base, metrics)
    if found and not force:
        raise refusal(new, base, found)
    return found


def refusal(new: str, base: str, found: Sequence[str]) -> IncomparableError:
    """Return the error that says why two submissions are not compared."""
    forced = "--force compares them all the same, and says so"
    outdated = any(_RESCORE in objection for objection in found)
    return IncomparableError(
        f"{new} and {base} must not be compared: {'; '.join(found)}",
        hint=f"{_RESCORE}; {forced}" if outdated else forced,
    )


def notes(database: Database, new: str, base: str, metrics: Sequence[str]) -> list[str]:
    """Return which metrics are compared by older scores, because the newest are not alike."""
    sides = read_side(database, new), read_side(database, base)
    older = [
        metric
        for metric, alike in _alike(database, sides, metrics).items()
        if alike.comparable and not alike.newest
    ]
    if not older:
        return []
    return [f"{', '.join(older)}: compared by older scores, which both have; {_RESCORE}"]


def _alike(
    database: Database, sides: tuple[Side, Side], measures: Sequence[str]
) -> dict[str, Alike]:
    """Return the scores compared by each metric that both are scored by."""
    submissions = [side.submission_id for side in sides]
    scores = read_scores(database, submissions)
    same = sides[0].treebank_id == sides[1].treebank_id
    names = dict.fromkeys(measure.partition("[")[0] for measure in measures)
    found = {name: scored_alike(scores, name, submissions, same_references=same) for name in names}
    return {name: alike for name, alike in found.items() if alike is not None}


def _reasons(scores: Sequence[StoredScore], sides: tuple[Side, Side]) -> list[str]:
    one, other = scores
    found = []
    if one.text_level != other.text_level:
        found.append(
            f"one is compared with the references' {one.text_level}, "
            f"the other with their {other.text_level}"
        )
    if one.tokeniser != other.tokeniser:
        found.append(f"the words were analysed by {one.tokeniser} and by {other.tokeniser}")
    if (one.parameters, one.versions) != (other.parameters, other.versions):
        found.append(f"computed with {_differences(one, other)}; {_RESCORE}")
    same_treebank = sides[0].treebank_id == sides[1].treebank_id
    if same_treebank and one.data_sha256 != other.data_sha256:
        found.append(f"the treebank's references changed between the scores; {_RESCORE}")
    return found


def _differences(one: StoredScore, other: StoredScore) -> str:
    """Return what differs: metric version 1 and 2."""
    return ", ".join(
        [
            *_unequal(one.parameters, other.parameters, ""),
            *_unequal(one.versions, other.versions, " version"),
        ]
    )


def _unequal(one: str, other: str, kind: str) -> list[str]:
    first, second = json.loads(one), json.loads(other)
    return [
        f"{name}{kind} {first.get(name)} and {second.get(name)}"
        for name in sorted({*first, *second})
        if first.get(name) != second.get(name)
    ]
