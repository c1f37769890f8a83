"""Planning an evaluation by people: where judgements' differences come from, and the power."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....schema.database import Database
from ....schema.errors import InputError, UnknownNameError, check_choices
from ....schema.names import resolve_criterion, resolve_name, resolve_treebank, the_only
from ....schema.statements import read_table
from ...functions.statistics import Floats, Integers
from ...people.human_scores import RANK_SUM, RAW, SCORES, Z

FEWEST_SENTENCES = 10
"""Sentences below which variances and orders of systems say nothing."""
LEAST_SENTENCES = 20
"""Of fewer the deviation of differences is not known well enough."""


@dataclass(frozen=True)
class Planned:
    """What a plan is about; None for what is chosen where there is one alone."""

    campaign: str | None = None
    treebank: str | None = None
    criterion: str | None = None
    ranked_by: str = Z
    """The scores that judgements count as: z, standardised by annotator, or raw."""


@dataclass(frozen=True)
class Judged:
    """Judgements of one test set and criterion; an array holds a number for each of them."""

    campaign_id: str
    treebank_id: str
    criterion: str
    submissions: Sequence[str]
    sentences: Sequence[int]
    submission: Integers
    """Place of the submission among ``submissions``."""
    sentence: Integers
    """Place of the sentence among ``sentences``."""
    annotator: Integers
    """Number of the annotator; another one for each judgement where it is not known."""
    score: Floats

    def square(self) -> Floats:
        """Return mean scores, a row for each submission; NaN where a sentence was not judged."""
        shape = len(self.submissions), len(self.sentences)
        total, count = np.zeros((2, *shape))
        np.add.at(total, (self.submission, self.sentence), self.score)
        np.add.at(count, (self.submission, self.sentence), 1)
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = total / count
        return means


def read_judged(database: Database, planned: Planned) -> Judged:
    """Return the judgements that a plan rests on.

    Raises UnknownNameError for names that are not there, and InputError where several campaigns,
    test sets or criteria were judged and none is named, and for fewer than two systems or ten
    sentences.
    """
    check_choices(("score to rank by", planned.ranked_by, SCORES))
    campaign_id = _campaign(database, planned.campaign)
    rows = read_table(
        database, "planned_judgements", campaign_id=campaign_id, ranked_by=planned.ranked_by
    )
    if not rows.num_rows:
        raise InputError(
            f"nothing has {_SCORES[planned.ranked_by]} in campaign '{campaign_id}'",
            hint=f"{_LOAD}; scores from files may be raw alone: --rank-by raw",
        )
    treebanks, criteria = (
        np.array(rows[name].to_pylist(), object) for name in ("treebank_id", "criterion")
    )
    judged = sorted(set(treebanks))
    if planned.treebank:
        treebank_id = resolve_treebank(database, planned.treebank, judged)
    else:
        treebank_id = the_only(judged, "test set of the judgements", "--treebank")
    criterion = resolve_criterion(planned.criterion, set(criteria)) or the_only(
        sorted(set(criteria[treebanks == treebank_id])), "criterion", "--criterion"
    )
    rows = rows.filter((treebanks == treebank_id) & (criteria == criterion))
    submissions, submission = np.unique(rows["submission_id"].to_pylist(), return_inverse=True)
    sentences, sentence = np.unique(rows["sentence_no"].to_numpy(), return_inverse=True)
    names = [name or str(place) for place, name in enumerate(rows["annotator_id"].to_pylist())]
    _, annotator = np.unique(names, return_inverse=True)
    where = f"{campaign_id}, {treebank_id}, {criterion}"
    if len(submissions) < 2:
        raise InputError("a plan needs judgements of two systems or more", where=where, hint=_LOAD)
    if len(sentences) < FEWEST_SENTENCES:
        raise InputError(
            f"{len(sentences)} judged sentences are too few to plan by",
            where=where,
            hint=f"judge {FEWEST_SENTENCES} or more, or plan by another campaign",
        )
    return Judged(
        campaign_id=campaign_id,
        treebank_id=treebank_id,
        criterion=criterion,
        submissions=[str(name) for name in submissions],
        sentences=[int(number) for number in sentences],
        submission=submission,
        sentence=sentence,
        annotator=annotator,
        score=rows["score"].to_numpy(),
    )


_SCORES = {Z: "z-scores by people", RAW: "raw scores by people"}
_LOAD = "load some with 'tracker ingest judgements', or name another campaign"


def _campaign(database: Database, campaign: str | None) -> str:
    if campaign is not None:
        return resolve_name(database, "campaign", campaign)
    rows = database.connection.execute(
        "SELECT campaign_id FROM judgement UNION SELECT campaign_id FROM human_score "
        "JOIN submission USING (submission_id) ORDER BY campaign_id"
    ).fetchall()
    if not rows:
        raise UnknownNameError("there are no judgements", hint=_LOAD)
    return the_only([str(name) for (name,) in rows], "campaign of the judgements", "--campaign")


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
