"""How measures go together over the systems of a test set, and with what people said of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pyarrow as pa

from ..schema.database import Database
from ..schema.errors import InputError, UnknownNameError
from ..schema.iterations import unknown_measure
from ..schema.names import unknown_name
from ..schema.statements import Row, read_rows
from .counting import Counting, selecting
from .functions.metric_tests import correlations, outliers
from .functions.statistics import PEARSON, Booleans, Floats

HumanScores = Mapping[str, Mapping[str, float]]
"""Scores by people, by language pair (en-fi) and system."""
HUMAN = "human_z"
"""What the scores of a file by people are called beside measures."""
_METRIC, _PEOPLE = "metric", "human"
_CORRELATIONS = pa.schema(
    [
        *((name, pa.string()) for name in ("campaign_id", "treebank_id", "language", "pair")),
        ("year", pa.int32()),
        *((name, pa.string()) for name in ("outliers", "measure", "against", "method")),
        ("systems", pa.int32()),
        ("coefficient", pa.float64()),
        ("p_value", pa.float64()),
        *((name, pa.list_(pa.string())) for name in ("removed", "unmatched")),
        ("undefined_reason", pa.string()),
    ]
)
_SYSTEMS = pa.schema(
    [
        *((name, pa.string()) for name in ("campaign_id", "treebank_id", "language")),
        ("year", pa.int32()),
        *((name, pa.string()) for name in ("system_id", "measure", "against")),
        *((name, pa.float64()) for name in ("score", "against_score")),
        ("outlier", pa.bool_()),
    ]
)


@dataclass(frozen=True)
class SystemCorrelations:
    """How measures go together over systems, and the systems' scores behind it."""

    correlations: pa.Table
    """A row for each test set, choice of outliers (with, without) and pair of measures."""
    systems: pa.Table
    """A row for each test set, pair of measures and system that has a score by both."""


@dataclass(frozen=True)
class _TestSet:
    """What measures say of the systems on a test set of a campaign."""

    about: Row
    """Its campaign, treebank, language and year."""
    scores: dict[str, dict[str, float]]
    """By measure and system."""
    people: set[str]
    """The measures that are people's."""
    pair: str | None = None

    def columns(self, measure: str, against: str, systems: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the scores of systems by both, NaN where there is none."""
        one, other = (
            np.array([self.scores.get(name, {}).get(system, np.nan) for system in systems])
            for name in (measure, against)
        )
        return one, other


def correlate_systems(
    database: Database,
    submissions: Sequence[str],
    *,
    measures: Sequence[str] = (),
    against: Sequence[str] = (),
    human: HumanScores | None = None,
    pair: str | None = None,
    method: str = PEARSON,
    counting: Counting = "newest",
) -> SystemCorrelations:
    """Return how measures correlate with others over the systems of each test set.

    ``measures`` are names as in submission_measures, all metrics where there is none; ``against``
    are those that each is held against, human z-scores where there is none: those of ``human``,
    called human_z, else those of stored judgements. ``counting`` says which submissions count, in
    each test set. Where people scored the systems, in ``human`` or as what is held
    against, there are correlations without outliers as well: systems too far from the median by
    people (Mathur et al. 2020). Tables 3 and 5 to 7 of Pratapa et al. (2021).

    Raises UnknownNameError for measures that there are not and where no test set has both,
    InputError where it is not clear which language pair of ``human`` a test set is of.
    """
    with selecting(database, submissions, counting):
        test_sets = _test_sets(database, measures, against, human)
    if human is not None:
        test_sets = [_with_people(test_set, human, pair) for test_set in test_sets]
    of_pairs: list[Row] = []
    of_systems: list[Row] = []
    for test_set in test_sets:
        ours = measures or sorted(set(test_set.scores) - test_set.people)
        others = against or sorted(test_set.people)
        for one, other in product(ours, others):
            if one != other:
                of_pairs += _correlated(test_set, one, other, method)
                of_systems += _systems(test_set, one, other)
    if not of_pairs:
        raise UnknownNameError(
            "nobody judged these systems",
            hint="'tracker why correlate --against MEASURE' holds them against another measure, "
            "--human against a file",
        )
    return SystemCorrelations(
        pa.Table.from_pylist(of_pairs, _CORRELATIONS), pa.Table.from_pylist(of_systems, _SYSTEMS)
    )


def _test_sets(
    database: Database,
    measures: Sequence[str],
    against: Sequence[str],
    human: HumanScores | None,
) -> list[_TestSet]:
    kinds = [] if measures else [_METRIC]
    kinds += [] if against or human is not None else [_PEOPLE]
    names = {*measures, *against} - ({HUMAN} if human is not None else set())
    rows = read_rows(database, "system_measures", measures=sorted(names), kinds=kinds)
    for name in sorted(names - {row["measure"] for row in rows}):
        message = f"no system has a score of {name} here"
        raise unknown_measure(database, name, message=message if _is_known(database, name) else "")
    test_sets: dict[tuple[str, str], _TestSet] = {}
    for row in rows:
        about = {name: row[name] for name in ("campaign_id", "treebank_id", "language", "year")}
        key = row["campaign_id"], row["treebank_id"]
        test_set = test_sets.setdefault(key, _TestSet(about, {}, set()))
        test_set.scores.setdefault(row["measure"], {})[row["system"]] = row["score"]
        if row["kind"] == _PEOPLE:
            test_set.people.add(row["measure"])
    if not test_sets:
        raise UnknownNameError(
            "no system has a score here", hint="'tracker score' computes those of metrics"
        )
    return [*test_sets.values()]


def _is_known(database: Database, measure: str) -> bool:
    row = database.connection.execute(
        "SELECT 1 FROM submission_measures WHERE measure = ? LIMIT 1", [measure]
    ).fetchone()
    return row is not None


def _with_people(test_set: _TestSet, human: HumanScores, pair: str | None) -> _TestSet:
    """Return a test set with the scores that people gave the systems of its language pair."""
    pair = pair or _pair_of(test_set, human)
    if pair not in human:
        message = f"people scored no pair '{pair}'"
        raise unknown_name("language pair", pair, human, message=message)
    scores = {**test_set.scores, HUMAN: dict(human[pair])}
    return _TestSet(test_set.about, scores, {HUMAN}, pair)


def _pair_of(test_set: _TestSet, human: HumanScores) -> str:
    """Return the language pair into the test set's language that has most of its systems."""
    systems = {system for scores in test_set.scores.values() for system in scores}
    language, treebank = test_set.about["language"], test_set.about["treebank_id"]
    shared = {
        pair: len(systems & scores.keys())
        for pair, scores in human.items()
        if language is None or pair.split("-")[-1] == language
    }
    most = max(shared.values(), default=0)
    best = [pair for pair, count in shared.items() if count == most]
    if not most or len(best) > 1:
        reason = (
            f"its systems are in {', '.join(best)} alike" if most else "no system is in the file"
        )
        raise InputError(
            f"the language pair of '{treebank}' is not clear: {reason}",
            hint="name it with --pair; systems must be called as in the file",
        )
    return best[0]


def _outliers(test_set: _TestSet, against: str) -> dict[str, bool] | None:
    """Return which systems are outliers by people; None where people are not asked about it."""
    people = HUMAN if HUMAN in test_set.scores else against
    if people not in test_set.people:
        return None
    scores = test_set.scores[people]
    far = outliers(np.array([*scores.values()], np.float64))
    return dict(zip(scores, far.tolist(), strict=True))


def _correlated(test_set: _TestSet, measure: str, against: str, method: str) -> Iterator[Row]:
    """Yield the correlation of two measures over all systems, and without outliers."""
    one, other = (test_set.scores.get(name, {}) for name in (measure, against))
    far = _outliers(test_set, against)
    systems = sorted(one.keys() | other.keys())
    scores, against_scores = test_set.columns(measure, against, systems)
    is_far: Booleans = np.array([bool(far and far.get(system)) for system in systems])
    names = ["the human score" if against == HUMAN else against, measure]
    selections = {"with": np.ones_like(is_far)} | ({} if far is None else {"without": ~is_far})
    for selection, chosen in selections.items():
        (correlation,) = correlations(
            against_scores[chosen], scores[None, chosen], method, names, "system"
        )
        yield {
            **test_set.about,
            "pair": test_set.pair,
            "outliers": selection,
            "measure": measure,
            "against": against,
            "method": method,
            "systems": correlation.n,
            "coefficient": correlation.coefficient,
            "p_value": correlation.p_value,
            "removed": [name for name, stays in zip(systems, chosen, strict=True) if not stays],
            "unmatched": sorted(one.keys() ^ other.keys()),
            "undefined_reason": correlation.undefined_reason,
        }


def _systems(test_set: _TestSet, measure: str, against: str) -> Iterator[Row]:
    """Yield the scores of the systems that have one by both measures."""
    one, other = (test_set.scores.get(name, {}) for name in (measure, against))
    far = _outliers(test_set, against) or {}
    for system in sorted(one.keys() & other.keys()):
        yield {
            **test_set.about,
            "system_id": system,
            "measure": measure,
            "against": against,
            "score": one[system],
            "against_score": other[system],
            "outlier": far.get(system, False),
        }
