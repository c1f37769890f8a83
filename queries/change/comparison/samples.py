"""What a measure of two submissions comes from, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from ....schema.database import Database
from ....schema.statements import read_table, read_tuples
from ...functions.statistics import Booleans, Floats, Integers
from ...metrics.formulas import (
    OTHER_FORMULA,
    formula_of,
    is_stored,
    read_sentences,
    score_sums,
)
from ...metrics.metric import SENTENCE_MEAN, Formula
from ...metrics.registry import parts_by_kind, scoring_hint, source_of
from .model import Settings
from .sides import Pairing, Scores, StoredScore, scored_alike
from .trials import read_trials, with_trials

NOT_ALIKE = "the two scores were computed in different ways"
NO_STATISTICS = (
    "some sentences lack statistics of one of the two: 'tracker keep check' shows what is missing"
)


@dataclass(frozen=True)
class Sample:
    """Sufficient statistics of new and base by one measure."""

    measure: str
    kind: str
    formula: Formula
    sentence_nos: Integers | None = None
    """Sentences of new's treebank."""
    statistics: Floats | None = None
    """Shape (2, sentences, k); None where there are none."""
    trials: tuple[Floats, Floats] | None = None
    """The same of all trials of new, and of base, (trials, sentences, k); None where neither has
    several. ``statistics`` are those of the first."""
    stored: tuple[float | None, float | None] | None = None
    """The scores as they are stored; None where they are of other sentences."""
    undefined_reason: str | None = None

    def without(self, reason: str) -> Sample:
        """Return the sample without statistics, for a reason."""
        return replace(
            self, sentence_nos=None, statistics=None, trials=None, undefined_reason=reason
        )

    def of(self, chosen: Booleans) -> Sample:
        """Return the sample of some of its sentences."""
        if self.statistics is None or self.sentence_nos is None:
            return replace(self, stored=None)
        return replace(
            self,
            sentence_nos=self.sentence_nos[chosen],
            statistics=self.statistics[:, chosen],
            trials=self.trials and (self.trials[0][:, chosen], self.trials[1][:, chosen]),
            stored=None,
        )

    @property
    def sides(self) -> list[Floats]:
        """The statistics of all trials of new and of base, (trials, sentences, k) each."""
        if self.statistics is None:
            return []
        return [*self.trials] if self.trials else [side[np.newaxis] for side in self.statistics]


def read_samples(
    database: Database, wanted: Sequence[tuple[Pairing, Sequence[str]]], settings: Settings
) -> list[list[Sample]]:
    """Return the sample of each metric of each pairing; one without statistics says why.

    Whether their formulas give the stored scores is not asked here, see ``same_scores``.
    """
    pairing_of = [pairing for pairing, metrics in wanted for _ in metrics]
    samples = [_sample(pairing, name, settings) for pairing, names in wanted for name in names]
    by_statement: dict[str, list[int]] = {}
    for place, (sample, _) in enumerate(samples):
        if sample.undefined_reason is None:
            by_statement.setdefault(sample.formula.statement, []).append(place)
    read = [sample for sample, _ in samples]
    scored = [[(side.submission_id, side.signature_id) for side in scores] for _, scores in samples]
    for name, places in by_statement.items():  # a statement for each metric takes twice as long
        keys = [key for place in places for key in scored[place]]
        sides = read_sentences(database, name, keys)
        for place, both in zip(places, zip(sides[::2], sides[1::2], strict=True), strict=True):
            numbers, statistics = pairing_of[place].align(both)
            read[place] = (
                read[place].without(NO_STATISTICS)
                if statistics is None
                else replace(read[place], sentence_nos=numbers, statistics=statistics)
            )
    several = with_trials(database, {key for keys in scored for key in keys})
    for place, keys in enumerate(scored):
        if read[place].statistics is not None and not several.isdisjoint(keys):
            read[place] = _with_trials(pairing_of[place], read[place], keys)
    rest = iter(read)
    return [[*islice(rest, len(metrics))] for _, metrics in wanted]


def _with_trials(pairing: Pairing, sample: Sample, keys: Sequence[tuple[str, str]]) -> Sample:
    """Return a sample with the statistics of all trials, of which one of the two has several."""
    new, base = read_trials(pairing.database, sample.formula, keys)
    aligned = [
        [pairing.align([trial, base[0]])[1] for trial in new],
        [pairing.align([new[0], trial])[1] for trial in base],
    ]
    sides = []
    for place, trials in enumerate(aligned):
        there = [both[place] for both in trials if both is not None]
        if len(there) < len(trials):
            return sample.without(NO_STATISTICS)
        sides.append(np.stack(there))
    return replace(sample, trials=(sides[0], sides[1]))


def whole_samples(pairing: Pairing, metrics: Sequence[str], settings: Settings) -> list[Sample]:
    """Return what ``read_samples`` does, without statistics that do not give the stored scores."""
    return [
        sample
        if sample.statistics is None
        or sample.stored is None
        or same_scores(pairing.database, sample.formula, sample.sides, sample.stored)
        else sample.without(OTHER_FORMULA)
        for sample in read_samples(pairing.database, [(pairing, metrics)], settings)[0]
    ]


def _sample(
    pairing: Pairing, metric: str, settings: Settings
) -> tuple[Sample, Sequence[StoredScore]]:
    """Return a sample without its statistics, and whose scores have them; none with a reason."""
    sample = Sample(metric, "metric", formula_of(metric))
    same, alike = pairing.same_treebank, pairing.alike(metric)
    if alike is None:
        reason: str | None = not_scored(pairing.scores, metric, pairing.ids)
        return replace(sample, undefined_reason=reason), []
    one, other = alike.scores
    if same:
        sample = replace(sample, stored=(one.score, other.score))
    reason = one.undefined_reason or other.undefined_reason
    if not alike.comparable and not settings.force:
        reason = NOT_ALIKE
    statistics_of = statistics_scores(pairing.scores, metric, alike.scores, same_references=same)
    if reason or statistics_of is None:
        return replace(sample, undefined_reason=reason or NO_STATISTICS), []
    return sample, statistics_of


def not_scored(scores: Scores, metric: str, submissions: Sequence[str]) -> str:
    """Return the reason that some of the submissions have no score by a metric."""
    without = [name for name in submissions if (metric, name) not in scores]
    return f"no score of {' and '.join(without)}: {scoring_hint(metric)}"


def statistics_scores(
    scores: Scores, metric: str, scored: Sequence[StoredScore], *, same_references: bool
) -> Sequence[StoredScore] | None:
    """Return the scores whose signatures the statistics carry: those of the metric derived from."""
    if (source := source_of(metric)) == metric:
        return scored
    submissions = [score.submission_id for score in scored]
    alike = scored_alike(scores, source, submissions, same_references=same_references)
    return alike.scores if alike else None


def same_scores(
    database: Database,
    formula: Formula,
    sides: Sequence[Floats],
    stored: Sequence[float | None],
) -> bool:
    """Return whether a formula gives the stored scores of some submissions, means over trials.

    ``sides`` are the statistics of their trials, (trials, sentences, k). Of metrics of other
    packages it is not known how their corpus scores come from sentences.
    """
    scores = [score_sums(database, formula, trials.sum(axis=1)).mean() for trials in sides]
    return as_stored(np.array(scores), stored)


def as_stored(computed: Floats, stored: Sequence[float | None]) -> bool:
    """Return whether scores are the stored ones but for rounding."""
    return all(
        is_stored(value, score)
        for value, score in zip(computed.tolist(), stored, strict=True)
        if score is not None
    )


def part_samples(
    pairing: Pairing, kind: str, items: Mapping[str, str], settings: Settings
) -> list[Sample]:
    """Return the sample of each measure of a kind, given with its item.

    The kind says whose parts they are, and how scores come from sums. A sample
    has the sentences in which one of the two has something of the part.
    """
    metric, part = parts_by_kind()[kind]
    formula = Formula("", part.score)
    alike = pairing.alike(metric)
    if alike is None:
        reason = not_scored(pairing.scores, metric, pairing.ids)
        return [Sample(name, kind, formula, undefined_reason=reason) for name in items]
    if not alike.comparable and not settings.force:
        return [Sample(name, kind, formula, undefined_reason=NOT_ALIKE) for name in items]
    both = [_read_parts(pairing.database, part.statement, score) for score in alike.scores]
    samples = []
    for name, item in items.items():
        of_part = [
            (numbers, of_item.get(item, np.zeros((len(numbers), part.statistics))))
            for numbers, of_item in both
        ]
        numbers, statistics = pairing.align(of_part)
        if statistics is None:
            samples.append(Sample(name, kind, formula, undefined_reason=NO_STATISTICS))
            continue
        concerned = statistics.any(axis=(0, 2))
        samples.append(Sample(name, kind, formula, numbers[concerned], statistics[:, concerned]))
    return samples


def _read_parts(
    database: Database, name: str, score: StoredScore
) -> tuple[Integers, Mapping[str, Floats]]:
    """Return a submission's sentences, and the statistics of each item of a score for them."""
    connection = database.connection
    numbers = np.asarray(
        connection.execute(
            "SELECT sentence_no FROM output WHERE submission_id = ? ORDER BY sentence_no",
            [score.submission_id],
        ).fetchnumpy()["sentence_no"],
        np.int64,
    )
    rows = read_table(
        database, name, submission_id=score.submission_id, signature_id=score.signature_id
    )
    statistics: dict[str, Floats] = {}
    if rows.num_rows:
        values = np.array(rows["statistics"].to_pylist(), np.float64)
        items, place = np.unique(rows["item"].to_numpy().astype(str), return_inverse=True)
        line = np.searchsorted(numbers, rows["sentence_no"].to_numpy())
        whole = np.zeros((len(items), len(numbers), values.shape[1]))
        whole[place, line] = values
        statistics = dict(zip(items.tolist(), whole, strict=True))
    return numbers, statistics


OTHER_CAMPAIGN = "z-scores of two campaigns are not comparable"
NONE_SHARED = "there is no sentence of which people judged both outputs"
PER_100_WORDS = Formula("", "100 * sums[1] / nullif(sums[2], 0)")
"""Of marked errors and words, as in the view error_rates."""


def judged_samples(pairing: Pairing, criteria: Mapping[str, str]) -> list[Sample]:
    """Return the sample of each measure, given with its criterion.

    It has the z-scores of the sentences of which both outputs were judged, so that means are over
    these. Across campaigns there is none: each standardises judgements by itself.
    """
    samples = [Sample(measure, "human", SENTENCE_MEAN) for measure in criteria]
    if pairing.new.campaign_id != pairing.base.campaign_id:
        return [replace(sample, undefined_reason=OTHER_CAMPAIGN) for sample in samples]
    with pairing.lent():
        return [
            _read(pairing, judged, "compared_judgements", criterion=criterion)
            for judged, criterion in zip(samples, criteria.values(), strict=True)
        ]


def error_samples(pairing: Pairing, measures: Iterable[str]) -> list[Sample]:
    """Return the sample of each measure of marked errors.

    It has errors and words of the sentences of which both outputs were judged, so that rates are
    over these.
    """
    samples = [Sample(measure, "errors", PER_100_WORDS) for measure in measures]
    with pairing.lent():
        return [
            _read(pairing, sample, "compared_errors", measure=sample.measure) for sample in samples
        ]


def _read(pairing: Pairing, sample: Sample, name: str, **more: str) -> Sample:
    rows = read_tuples(pairing.database, name, **pairing.parameters, **more)
    if not rows:
        return replace(sample, undefined_reason=NONE_SHARED)
    numbers = np.array([number for number, _, _ in rows], np.int64)
    statistics = np.array([[row[side] for row in rows] for side in (1, 2)])
    return replace(sample, sentence_nos=numbers, statistics=statistics)
