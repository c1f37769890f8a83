"""How grammar scores of systems go with what people said of them (Pratapa et al. 2021, A.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...schema.database import Database
from ...schema.errors import InputError, UnknownNameError
from ...schema.grammar.rule_sets import Trees, check_fit
from ...schema.iterations import unknown_measure
from ...schema.names import campaign_treebanks, resolve_name, resolve_treebank, unknown_name
from ...schema.statements import read_tuples
from ..functions.metric_tests import Correlation, correlations, outliers
from ..functions.statistics import PEARSON

HumanScores = Mapping[str, Mapping[str, float]]
"""Scores by people, by language pair (en-fi) and system."""
METRICS = ("grammar_agreement", "grammar_argument", "grammar")
WITH, WITHOUT = "with", "without"


@dataclass(frozen=True)
class TestSetScores:
    """What measures say of the systems on a test set of a campaign."""

    __test__ = False

    campaign_id: str
    year: int | None
    treebank_id: str
    language: str | None
    scores: Mapping[str, dict[str, float]]
    """By measure and system."""

    def systems(self) -> set[str]:
        """Return the systems that any measure has a score of."""
        return {system for scores in self.scores.values() for system in scores}


@dataclass(frozen=True)
class HumanCorrelation:
    """Pearson's r of a measure and people's z-scores over systems."""

    campaign_id: str
    year: int | None
    treebank_id: str
    pair: str
    """Language pair, such as en-fi."""
    outliers: str
    """with or without outlier systems."""
    measure: str
    correlation: Correlation
    removed: Sequence[str]
    """The outlier systems that were left out."""
    unmatched: Sequence[str]
    """Systems that either people or the measure alone have a score of."""


def correlate_with_people(
    database: Database,
    human: HumanScores,
    *,
    campaign: str,
    treebanks: Sequence[str] = (),
    measures: Sequence[str] = METRICS,
    pair: str | None = None,
    accept_mismatch: bool = False,
) -> list[HumanCorrelation]:
    """Return how measures correlate with human z-scores over the systems of each test set.

    By test set, all systems first and then without outliers, by measure. Outliers are told by the
    human scores of all systems of the language pair (Mathur et al. 2020). Each system counts by its
    latest iteration; human references do not. Tables 3 and 5 of Pratapa et al. (2021).

    Raises UnknownNameError for names that are not there and test sets without any of the measures,
    InputError where it is not clear which language pair a test set is of, and for scores by rules
    of another language or scheme than the test set's unless ``accept_mismatch``.
    """
    of_all: list[HumanCorrelation] = []
    for test_set in _test_sets(database, campaign, treebanks, measures):
        if not accept_mismatch:
            _check_rules(database, test_set, measures)
        of_pair = pair or _pair_of(test_set, human)
        if of_pair not in human:
            raise unknown_name(
                "language pair", of_pair, human, message=f"people scored no pair '{of_pair}'"
            )
        of_all += _correlations(test_set, of_pair, human[of_pair], measures)
    return of_all


def _test_sets(
    database: Database, campaign: str, treebanks: Sequence[str], measures: Sequence[str]
) -> list[TestSetScores]:
    campaign = resolve_name(database, "campaign", campaign)
    among = campaign_treebanks(database, campaign)
    treebanks = [resolve_treebank(database, name, among) for name in treebanks]
    rows = read_tuples(database, "system_measures", campaign=campaign, measures=list(measures))
    unmeasured = {*measures} - {row[3] for row in rows} - {*METRICS}
    if unmeasured:
        raise unknown_measure(database, min(unmeasured))
    by_treebank: dict[str, TestSetScores] = {}
    for year, treebank_id, language, measure, system, score in rows:
        if treebanks and treebank_id not in treebanks:
            continue
        test_set = by_treebank.setdefault(
            treebank_id,
            TestSetScores(campaign, year, treebank_id, language, {name: {} for name in measures}),
        )
        test_set.scores[measure][system] = score
    missing = sorted(set(treebanks) - by_treebank.keys())
    if missing or not by_treebank:
        what = f"on '{missing[0]}'" if missing else f"in campaign '{campaign}'"
        raise UnknownNameError(
            f"no system has a score of {', '.join(measures)} {what}",
            hint="'tracker grammar score' computes those of grammar",
        )
    return list(by_treebank.values())


def _check_rules(database: Database, test_set: TestSetScores, measures: Sequence[str]) -> None:
    """Raise InputError where scores are by rules that are not made for the test set's outputs."""
    if not any(name.startswith("grammar") for name in measures):
        return
    rows = read_tuples(
        database,
        "grammar_correlated",
        campaign=test_set.campaign_id,
        treebank=test_set.treebank_id,
    )
    for rule_set_id, *trees in rows:
        check_fit(database, rule_set_id, Trees(*trees))


def _pair_of(test_set: TestSetScores, human: HumanScores) -> str:
    """Return the language pair into the test set's language that has most of its systems."""
    systems = test_set.systems()
    shared = {
        pair: len(systems & scores.keys())
        for pair, scores in human.items()
        if test_set.language is None or pair.split("-")[-1] == test_set.language
    }
    most = max(shared.values(), default=0)
    best = [pair for pair, count in shared.items() if count == most]
    if not most or len(best) > 1:
        reason = (
            f"its systems are in {', '.join(best)} alike" if most else "no system is in the file"
        )
        raise InputError(
            f"the language pair of '{test_set.treebank_id}' is not clear: {reason}",
            hint="name it with --pair; systems must be called as in the file",
        )
    return best[0]


def _correlations(
    test_set: TestSetScores, pair: str, human: Mapping[str, float], measures: Sequence[str]
) -> Iterator[HumanCorrelation]:
    systems = sorted(human)
    z_scores = np.array([human[system] for system in systems], np.float64)
    scores = np.array(
        [[test_set.scores[name].get(system, np.nan) for system in systems] for name in measures],
        np.float64,
    )
    far = outliers(z_scores)
    for selection, chosen in ((WITH, np.ones_like(far)), (WITHOUT, ~far)):
        removed = [system for system, stays in zip(systems, chosen, strict=True) if not stays]
        agreements = correlations(
            z_scores[chosen], scores[:, chosen], PEARSON, ["the human score", *measures], "system"
        )
        for measure, correlation in zip(measures, agreements, strict=True):
            unmatched = human.keys() ^ test_set.scores[measure].keys()
            yield HumanCorrelation(
                campaign_id=test_set.campaign_id,
                year=test_set.year,
                treebank_id=test_set.treebank_id,
                pair=pair,
                outliers=selection,
                measure=measure,
                correlation=correlation,
                removed=removed,
                unmatched=sorted(unmatched),
            )
