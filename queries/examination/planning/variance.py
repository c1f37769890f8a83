"""Where differences between judgements come from, and the power that follows in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....schema.errors import InputError
from ...functions.statistics import Floats, Integers
from ...people.human_scores import RANK_SUM
from . import Judged

SAME, DIFFERENT = "same", "different"


@dataclass(frozen=True)
class Components:
    """Variances that a judgement's distance from its system's mean is the sum of.

    In squares of the scores' unit, at least 0; None where the judgements cannot tell.
    """

    annotators: str
    """Whether outputs for a sentence are judged by the same annotator, or by different ones."""
    sentence: float | None
    """How hard sentences are, for all systems alike."""
    annotator: float | None
    """How strict annotators are."""
    output: float | None
    """How good a system is on a sentence, beyond both."""
    residual: float | None
    """What annotators of one output differ by, beyond their strictness."""
    repeated: float | None
    """Half the variance of a difference between annotators of one output: annotator and residual
    together."""
    difference: float
    """Half the variance of a difference between two outputs for a sentence, judged once each."""

    def of_difference(self, annotators: int) -> float | None:
        """Return half the variance of a difference, each output judged by so many annotators."""
        if annotators == 1:
            return self.difference
        single = self.residual if self.annotators == SAME else self.repeated
        if self.output is None or single is None:
            return None
        return self.output + single / annotators

    def of_test(self, annotators: int, test: str) -> float | None:
        """Return the variance that a test reckons with: rank sums do not take sentences out."""
        of_difference = self.of_difference(annotators)
        if test != RANK_SUM or of_difference is None:
            return of_difference
        strictness = self.annotator if self.annotators == SAME else 0.0
        if self.sentence is None or strictness is None:
            return None
        return of_difference + self.sentence + strictness / annotators


def variance_components(judged: Judged) -> Components:
    """Return the variance components of judgements, by the method of moments.

    Half the mean squared difference between two judgements estimates the sum of the components
    that they do not share: one system's judgements of a sentence by two annotators differ by
    annotator and residual, its judgements of two sentences by an annotator by sentence, output and
    residual, and so on. Estimates below 0 count as 0. (Analysis of unbalanced data by symmetric
    differences, Koch 1968; the design is that of generalisability theory, Brennan 2001.)

    Raises InputError where no sentence was judged of two systems.
    """
    system, sentence, annotator = judged.submission, judged.sentence, judged.annotator
    count = np.bincount(system)
    score = judged.score - (np.bincount(system, judged.score) / count)[system]
    # A mean was taken out of each system's n scores, which shrinks variances by (n - 1) / n.
    score = score * np.sqrt(count / np.maximum(count - 1, 1))[system]

    def pairs(*groups: Integers) -> Floats:
        """Return the sum of squared differences and the number of pairs that share the groups."""
        _, codes = np.unique(np.stack(groups), axis=1, return_inverse=True)
        size, total = np.bincount(codes), np.bincount(codes, score)
        squares = np.bincount(codes, score**2)
        return np.array([(size * squares - total**2).sum(), (size * (size - 1) / 2).sum()])

    def half(differences: Floats) -> float | None:
        return float(differences[0] / differences[1] / 2) if differences[1] > 0 else None

    of_output, of_scale = pairs(system, sentence), pairs(system, annotator)
    in_one = pairs(sentence, annotator)
    in_two = pairs(sentence) - of_output - in_one
    same = in_one[1] >= in_two[1]
    apart = half(pairs(system) - of_output - of_scale)
    of_annotators, of_sentences = half(of_output), half(of_scale)
    difference = half(in_one if same else in_two)
    if difference is None:
        raise InputError(
            "no sentence was judged of two systems",
            where=f"{judged.campaign_id}, {judged.treebank_id}, {judged.criterion}",
            hint="plan by judgements of several systems' outputs for the same sentences",
        )
    strictness = _rest(apart, of_sentences)
    residual = _rest(of_annotators, strictness)
    return Components(
        annotators=SAME if same else DIFFERENT,
        sentence=_rest(of_sentences if same else apart, difference),
        annotator=strictness,
        output=_rest(difference, residual if same else of_annotators),
        residual=residual,
        repeated=of_annotators,
        difference=difference,
    )


def _rest(whole: float | None, part: float | None) -> float | None:
    return None if whole is None or part is None else max(whole - part, 0.0)


def expected_power(
    difference: float, items: int, variance: float, of_test: float, level: float
) -> float:
    """Return the chance that a one-sided test finds a true difference, by the normal approximation.

    ``variance`` is half that of a difference between two outputs for a sentence, ``of_test`` the
    one the test reckons with: the same where it compares sentence by sentence, more where it does
    not. With both equal this is the power of the textbook's z test for two samples of that
    variance.
    """
    from scipy.special import ndtr, ndtri

    if variance == 0:
        return float(difference > 0)
    bound = -ndtri(level) * math.sqrt(2 * of_test / items)
    return float(ndtr((difference - bound) / math.sqrt(2 * variance / items)))


def needed_items(
    difference: float, power: float, variance: float, of_test: float, level: float
) -> int:
    """Return the least number of sentences that give a test this power; see ``expected_power``.

    For equal variances s^2 it is 2 s^2 (z_level + z_power)^2 / difference^2 (Cohen 1988).
    """
    from scipy.special import ndtri

    bound = -ndtri(level) * math.sqrt(2 * of_test)
    return max(math.ceil(((bound + ndtri(power) * math.sqrt(2 * variance)) / difference) ** 2), 1)
