"""What two submissions' scores by a metric come from, sentence by sentence, and tests of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose
from typing import TYPE_CHECKING

import numpy as np

from sr_tracker.queries.change.comparison.model import Change, Settings
from sr_tracker.queries.change.comparison.paired import TEST, Tested, paired_tests
from sr_tracker.queries.change.comparison.pairing import Pairing
from sr_tracker.queries.change.comparison.signatures import (
    Scores,
    StoredScore,
    read_scores,
    scored_alike,
)
from sr_tracker.queries.change.significance.computing import FEWEST_SENTENCES, NO_REPLICATE, TOO_FEW
from sr_tracker.queries.change.significance.scores import formula_of, read_sentences, score_sums
from sr_tracker.queries.functions.statistics import holm
from sr_tracker.queries.metrics import metrics as known_metrics
from sr_tracker.queries.metrics.metric import Formula
from sr_tracker.schema.database import Database

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Booleans, Floats, Integers

NOT_ALIKE = "the two scores were computed in different ways"
NO_STATISTICS = "not every sentence has statistics of both: 'tracker check' tells what is missing"
OTHER_FORMULA = "how this score comes from sentences is not known"
TOLERANCE = 1e-9
PAIR = ((0, 1),)


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
    stored: tuple[float | None, float | None] | None = None
    """The scores as they are stored; None where they are of other sentences."""
    undefined_reason: str | None = None

    def of(self, chosen: Booleans) -> Sample:
        """Return the sample of some of its sentences."""
        if self.statistics is None or self.sentence_nos is None:
            return replace(self, stored=None)
        return replace(
            self,
            sentence_nos=self.sentence_nos[chosen],
            statistics=self.statistics[:, chosen],
            stored=None,
        )


def read_samples(
    database: Database,
    new: str,
    base: str,
    metrics: Sequence[str],
    pairing: Pairing,
    settings: Settings,
) -> list[Sample]:
    """Return the sample of each metric, those without statistics with the reason."""
    scores = read_scores(database, [new, base])
    return [
        _read_sample(database, (new, base), metric, scores, pairing, settings) for metric in metrics
    ]


def _read_sample(
    database: Database,
    submissions: tuple[str, str],
    metric: str,
    scores: Scores,
    pairing: Pairing,
    settings: Settings,
) -> Sample:
    formula = formula_of(metric)
    sample = Sample(metric, "metric", formula)
    same = pairing.same_treebank
    alike = scored_alike(scores, metric, submissions, same_references=same)
    if alike is None:
        return replace(sample, undefined_reason=not_scored(scores, metric, submissions))
    one, other = alike.scores
    if same:
        sample = replace(sample, stored=(one.score, other.score))
    reason = one.undefined_reason or other.undefined_reason
    if not alike.comparable and not settings.force:
        reason = NOT_ALIKE
    statistics_of = statistics_scores(scores, metric, alike.scores, same_references=same)
    if reason or statistics_of is None:
        return replace(sample, undefined_reason=reason or NO_STATISTICS)
    found = [
        read_sentences(database, formula, each.signature_id, [each.submission_id])
        for each in statistics_of
    ]
    numbers, statistics = pairing.align(found)
    if statistics is None:
        return replace(sample, undefined_reason=NO_STATISTICS)
    if sample.stored and not same_scores(database, formula, statistics, sample.stored):
        return replace(sample, undefined_reason=OTHER_FORMULA)
    return replace(sample, sentence_nos=numbers, statistics=statistics)


def not_scored(scores: Scores, metric: str, submissions: Sequence[str]) -> str:
    """Return the reason that some of the submissions have no score by a metric."""
    without = [name for name in submissions if (metric, name) not in scores]
    return f"no score of {' and '.join(without)}: 'tracker score' computes it"


def statistics_scores(
    scores: Scores, metric: str, scored: Sequence[StoredScore], *, same_references: bool
) -> Sequence[StoredScore] | None:
    """Return the scores whose signatures the statistics carry: those of the metric derived from."""
    known = known_metrics().get(metric)
    if known is None or known.statistics_of is None:
        return scored
    submissions = [score.submission_id for score in scored]
    found = scored_alike(scores, known.statistics_of, submissions, same_references=same_references)
    return found.scores if found else None


def same_scores(
    database: Database,
    formula: Formula,
    statistics: Floats,
    stored: Sequence[float | None],
) -> bool:
    """Return whether a formula gives the stored scores of some submissions.

    Of metrics of other packages it is not known how their corpus scores come from sentences.
    """
    found = score_sums(database, formula, statistics.sum(axis=1))
    return all(
        isclose(value, score, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        for value, score in zip(found.tolist(), stored, strict=True)
        if score is not None
    )


def tested_samples(
    database: Database, samples: Sequence[Sample], settings: Settings
) -> list[Change]:
    """Return the change of each sample; p-values are corrected over all of them (Holm)."""
    changes = _tested(database, samples, settings)
    return corrected([changes.get(n) or _untested(s) for n, s in enumerate(samples)])


def corrected(changes: Sequence[Change]) -> list[Change]:
    """Return changes with their p-values corrected for their number (Holm 1979)."""
    p_values = [np.nan if change.p_value is None else change.p_value for change in changes]
    return [
        replace(change, p_holm=None if np.isnan(p) else float(p))
        for change, p in zip(changes, holm(np.array(p_values)), strict=True)
    ]


def _tested(
    database: Database, samples: Sequence[Sample], settings: Settings
) -> Mapping[int, Change]:
    """Return the changes of the samples that can be tested, by position."""
    given = {
        place: (sample.formula, sample.statistics)
        for place, sample in enumerate(samples)
        if sample.statistics is not None and sample.statistics.shape[1] >= FEWEST_SENTENCES
    }
    tested = paired_tests(database, [*given.values()], PAIR, settings)
    return {place: _change(samples[place], each) for place, each in zip(given, tested, strict=True)}


def _change(sample: Sample, tested: Tested) -> Change:
    new, base = sample.stored or (number_of(tested.scores[0]), number_of(tested.scores[1]))
    p_value = number_of(tested.p_values[0])
    return replace(
        _untested(replace(sample, stored=(new, base))),
        low=number_of(tested.difference_low[0]),
        high=number_of(tested.difference_high[0]),
        p_value=p_value,
        test=TEST,
        undefined_reason=NO_REPLICATE if p_value is None else None,
    )


def _untested(sample: Sample) -> Change:
    new, base = sample.stored or (None, None)
    sentences = 0 if sample.sentence_nos is None else len(sample.sentence_nos)
    return Change(
        measure=sample.measure,
        kind=sample.kind,
        new=new,
        base=base,
        difference=None if new is None or base is None else new - base,
        low=None,
        high=None,
        p_value=None,
        p_holm=None,
        n=sentences,
        undefined_reason=sample.undefined_reason or TOO_FEW,
    )


def number_of(value: float) -> float | None:
    """Return a number, None for NaN."""
    return None if np.isnan(value) else float(value)
