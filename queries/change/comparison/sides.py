"""The sides of a comparison: which scores and sentences belong together, and which must not."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from ....schema.database import Database
from ....schema.errors import TrackerError
from ....schema.iterations import resolve_submission
from ....schema.statements import fetch_table, read_rows, read_tuples, statement
from ....schema.temporary import lent
from ...clusters import Clusters, clusters
from ...errors.jobs import sentence_metrics, usual_metrics_of
from ...functions.statistics import Floats, Integers
from ...metrics.registry import label_of
from ...metrics.slices import LabelValue, label_values
from .model import Settings, Side


def read_sides(database: Database, submissions: Sequence[str]) -> list[Side]:
    """Return what there is to say of submissions, given by their ids, in their order."""
    rows = read_rows(database, "compared_sides", submissions=list(submissions))
    sides = {  # DuckDB looks all time zones up before it hands over a time that has one
        row["submission_id"]: Side(created_at=row.pop("created_utc").replace(tzinfo=UTC), **row)
        for row in rows
    }
    return [sides[submission] for submission in submissions]


def shared_sentences(database: Database, treebank: str, other: str) -> tuple[list[int], list[int]]:
    """Return the numbers of the sentences with the same reference text, in both treebanks.

    They come in pairs, by the first treebank's order. Texts are the same in Unicode's composed
    form with single blanks; where a text repeats, the first goes with the first, the second with
    the second. Sentences whose text is hidden are in no pair.
    """
    rows = read_tuples(database, "compared_shared_sentences", treebank=treebank, other=other)
    return [number for number, _ in rows], [number for _, number in rows]


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
    rows = read_tuples(database, "compared_scores", submissions=list(submissions))
    scores: dict[tuple[str, str], list[StoredScore]] = {}
    for row in rows:
        score = StoredScore(*row)
        scores.setdefault((score.metric, score.submission_id), []).append(score)
    return scores


def scored_alike(
    scores: Scores, metric: str, submissions: Sequence[str], *, same_references: bool
) -> Alike | None:
    """Return the newest scores by a metric that were computed alike; None where one has no score.

    Where no way of computing is common to all, their newest scores are returned as not comparable.
    """
    of_sides = [scores.get((metric, submission), []) for submission in submissions]
    if not all(of_sides):
        return None
    newest = [of_one[0] for of_one in of_sides]
    for first in of_sides[0]:
        same = [
            next(
                (
                    other
                    for other in of_one
                    if other.way == first.way
                    and (not same_references or other.data_sha256 == first.data_sha256)
                ),
                None,
            )
            for of_one in of_sides
        ]
        alike = [score for score in same if score is not None]
        if len(alike) == len(same):
            return Alike(alike, comparable=True, newest=alike == newest)
    return Alike(newest, comparable=False, newest=True)


T = TypeVar("T")


@dataclass(frozen=True)
class Pairing:
    """Two submissions that are compared; what both have is read once, when it is needed.

    What several pairings share is read for all of them, see ``pairings_of``.
    """

    database: Database
    new: Side
    base: Side
    together: Sequence[str] = ()
    """The submissions of all pairings that share what they read; these two where there are none."""
    _read: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def usual_metrics(self) -> list[str]:
        """The usual metrics, first what the sentences of both are shown by.

        Pairings of the same test set with the same scores have the same, and read them once.
        """
        both = (self.new, self.base)
        places = ((side.campaign_id, side.treebank_id, side.reference_form) for side in both)
        key = ("usual", *places, *self.shared)
        return self.once(key, lambda: usual_metrics_of(self.database, self.ids))

    def once(self, key: Hashable, read: Callable[[], T]) -> T:
        """Return what was read by a key, by this pairing or one that shares it, else read it."""
        if key not in self._read:
            self._read[key] = read()
        content: T = self._read[key]
        return content

    def clusters(self, unit: str | None) -> Clusters:
        """Return which of the sentences of new's treebank that are compared belong together."""
        treebank, numbers = self.new.treebank_id, self.sentences[0]
        return self.once(
            ("clusters", *self.treebanks, unit),
            lambda: clusters(self.database, treebank, numbers, unit),
        )

    @property
    def submissions(self) -> list[str]:
        """Those that are read of: both, and those of pairings that share it."""
        return [*(self.together or self.ids)]

    @property
    def treebanks(self) -> tuple[str, str]:
        """The treebanks of both."""
        return self.new.treebank_id, self.base.treebank_id

    @property
    def ids(self) -> tuple[str, str]:
        """The ids of both."""
        return self.new.submission_id, self.base.submission_id

    @property
    def parameters(self) -> dict[str, str]:
        """Both ids, as statements take them."""
        return {"new": self.new.submission_id, "base": self.base.submission_id}

    @property
    def same_treebank(self) -> bool:
        """Whether both are of one treebank."""
        return self.new.treebank_id == self.base.treebank_id

    @property
    def scores(self) -> Scores:
        """All scores of both, and of those that are read with them."""
        return self.once("scores", lambda: read_scores(self.database, self.submissions))

    @property
    def sentences(self) -> tuple[Integers, Integers]:
        """Which sentences belong together: numbers in new's treebank, ascending, and in base's.

        Of one treebank each is its own pair; of two those have one that share the reference text.
        """
        return self.once(("sentences", *self.treebanks), self._read_sentences)

    def _read_sentences(self) -> tuple[Integers, Integers]:
        if not self.same_treebank:
            ours, theirs = shared_sentences(self.database, *self.treebanks)
            return np.array(ours, np.int64), np.array(theirs, np.int64)
        rows = self.database.connection.execute(
            "SELECT sentence_no FROM sentence WHERE treebank_id = ? ORDER BY sentence_no",
            [self.new.treebank_id],
        ).fetchnumpy()
        numbers = np.asarray(rows["sentence_no"], np.int64)
        return numbers, numbers

    @property
    def label_values(self) -> Sequence[LabelValue]:
        """The values of the labels of the sentences of new's treebank."""
        treebank = self.new.treebank_id
        return self.once(("labels", treebank), lambda: label_values(self.database, treebank))

    @property
    def shared(self) -> Sequence[str]:
        """The measures that both have a value by, parts of metrics left out."""
        defined = [
            {source for source, (_, has) in self.states[side].items() if has} for side in self.ids
        ]
        return sorted(set.intersection(*defined))

    @property
    def states(self) -> Mapping[str, Mapping[str, tuple[str, bool]]]:
        """What values rest on, and whether they are defined, by submission and metric or alike."""
        return self.once("states", self._read_states)

    def _read_states(self) -> Mapping[str, Mapping[str, tuple[str, bool]]]:
        states: dict[str, dict[str, tuple[str, bool]]] = {name: {} for name in self.submissions}
        rows = read_tuples(self.database, "measure_states", submissions=self.submissions)
        for name, source, *state in rows:
            states[name][source] = (state[0], state[1])
        return states

    def alike(self, metric: str) -> Alike | None:
        """Return the newest scores of both by a metric that were computed alike."""
        return scored_alike(self.scores, metric, self.ids, same_references=self.same_treebank)

    def align(self, sides: Sequence[tuple[Integers, Floats]]) -> tuple[Integers, Floats | None]:
        """Return the sentences of new that are compared, and both sides' rows: (2, sentences, k).

        ``sides`` has sentences, ascending, and rows of new and of base. The rows are None where
        some are missing: of one treebank both must have the same sentences, of two all pairs.
        """
        (new_nos, new), (base_nos, base) = sides
        if self.same_treebank:
            same = np.array_equal(new_nos, base_nos) and len(new_nos) > 0
            return new_nos, np.stack([new, base]) if same else None
        ours, theirs = self.sentences
        here, there = np.isin(ours, new_nos), np.isin(theirs, base_nos)
        if not len(ours) or not (here & there).all():
            return ours, None
        rows = new[np.searchsorted(new_nos, ours)]
        return ours, np.stack([rows, base[np.searchsorted(base_nos, theirs)]])

    def sentence_scores(self, measure: str) -> pa.Table:
        """Return the pairs of sentences scored by a measure: new_no, base_no and both scores."""
        with self.lent():
            parameters = {**self.parameters, "metric": measure}
            return fetch_table(self.database.connection, statement("scored_pairs"), parameters)

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Lend the block's statements compared_sentence: place, new_no, base_no, a row per pair."""
        ours, theirs = self.sentences
        columns = {"place": np.arange(len(ours)), "new_no": ours, "base_no": theirs}
        with lent(self.database, compared_sentence=pa.table(columns)):
            yield


def pairing_of(database: Database, new: str, base: str) -> Pairing:
    """Return two submissions to compare. Raises UnknownNameError where one is not there."""
    one, other = (resolve_submission(database, name) for name in (new, base))
    return pairings_of(database, [(one, other)])[0]


def pairings_of(database: Database, pairs: Sequence[tuple[str, str]]) -> list[Pairing]:
    """Return pairings, given by the ids of new and base, that read once what they share."""
    ids = sorted({name for pair in pairs for name in pair})
    sides = dict(zip(ids, read_sides(database, ids), strict=True))
    read: dict[Hashable, Any] = {}
    return [Pairing(database, sides[new], sides[base], ids, read) for new, base in pairs]


def with_sentence_metric(
    database: Database, settings: Settings, submissions: Sequence[str]
) -> Settings:
    """Return settings that name a metric of sentences: else it is the first that most have."""
    by = settings.sentence_metric or sentence_metrics(database, submissions)[0]
    return replace(settings, sentence_metric=by)


SAME = "both are the same submission: nothing can differ"
_RESCORE = "'tracker keep rescore' brings both up to date"


class IncomparableError(TrackerError):
    """Submissions whose scores say nothing about each other."""


def objections(pairing: Pairing, metrics: Sequence[str]) -> list[str]:
    """Return why two submissions must not be compared by these measures; empty where they may.

    Their treebank must be the same, and what each metric compares with, what analysed the words it
    rests on, its parameters and versions: where the newest scores differ in these, older ones that
    both have will do. A relation rests on its metric, as dea[nsubj] on dea. Metrics that one of
    them is not scored by are no objection: they are undefined.
    """
    texts = []
    if not pairing.same_treebank:
        texts.append(f"they are of different treebanks: {' and '.join(pairing.treebanks)}")
    reasons: dict[str, list[str]] = {}
    for metric, alike in _alike(pairing, metrics).items():
        if not alike.comparable:
            for reason in _reasons(alike.scores, same_treebank=pairing.same_treebank):
                reasons.setdefault(reason, []).append(label_of(metric))
    return texts + [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]


def check(pairing: Pairing, metrics: Sequence[str], *, force: bool = False) -> list[str]:
    """Return the objections against comparing two submissions.

    Raises IncomparableError where there are any, unless it is forced.
    """
    texts = objections(pairing, metrics)
    if texts and not force:
        raise refusal(*pairing.ids, texts)
    return texts


def refusal(new: str, base: str, texts: Sequence[str]) -> IncomparableError:
    """Return the error that says why two submissions are not compared."""
    forced = "--force compares them all the same, and says so"
    outdated = any(_RESCORE in objection for objection in texts)
    return IncomparableError(
        f"{new} and {base} must not be compared: {'; '.join(texts)}",
        hint=f"{_RESCORE}; {forced}" if outdated else forced,
    )


def notes(pairing: Pairing, metrics: Sequence[str]) -> list[str]:
    """Return that both are one, and which metrics are compared by older scores, and why."""
    same = [SAME] if pairing.new == pairing.base else []
    older = [
        label_of(metric)
        for metric, alike in _alike(pairing, metrics).items()
        if alike.comparable and not alike.newest
    ]
    if not older:
        return same
    return [*same, f"{', '.join(older)}: compared by older scores, which both have; {_RESCORE}"]


def _alike(pairing: Pairing, measures: Sequence[str]) -> dict[str, Alike]:
    """Return the scores compared by each metric that both are scored by."""
    names = dict.fromkeys(measure.partition("[")[0] for measure in measures)
    scores = {name: pairing.alike(name) for name in names}
    return {name: alike for name, alike in scores.items() if alike is not None}


def _reasons(scores: Sequence[StoredScore], *, same_treebank: bool) -> list[str]:
    one, other = scores
    texts = []
    if one.text_level != other.text_level:
        texts.append(
            f"one is compared with the references' {one.text_level}, "
            f"the other with their {other.text_level}"
        )
    if one.tokeniser != other.tokeniser:
        texts.append(f"the words were analysed by {one.tokeniser} and by {other.tokeniser}")
    if (one.parameters, one.versions) != (other.parameters, other.versions):
        differing = [
            *_unequal(one.parameters, other.parameters, ""),
            *_unequal(one.versions, other.versions, " version"),
        ]
        texts.append(f"computed with {', '.join(differing)}; {_RESCORE}")
    if same_treebank and one.data_sha256 != other.data_sha256:
        texts.append(f"the treebank's references changed between the scores; {_RESCORE}")
    return texts


def _unequal(one: str, other: str, kind: str) -> list[str]:
    first, second = json.loads(one), json.loads(other)
    return [
        f"{name}{kind} {first.get(name)} and {second.get(name)}"
        for name in sorted({*first, *second})
        if first.get(name) != second.get(name)
    ]
