"""Intervals of scores: of those that have none yet, computed by treebank and metric and stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from ....schema import TOOL_VERSION
from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.iterations import resolve_submissions
from ....schema.statements import read_tuples
from ....schema.temporary import insert
from ...clusters import Clusters, cluster_sums, clusters
from ...functions.statistics import Floats
from ...metrics import Formula, formulas, metrics
from ...metrics.metric import SENTENCE_MEAN
from ...metrics.registry import metric_named, scoring_hint, source_of
from ...metrics.signatures import short_hash
from ..comparison.paired import Tested, paired_tests
from ..comparison.trials import estimate, read_trials, trial_scores
from . import Settings, intervals, replicates

ANALYSIS = "significance"
VERSION = "3"


@dataclass(frozen=True)
class Scored:
    """A submission's score by the metric and signature of its group."""

    submission_id: str
    undefined_reason: str | None
    data_sha256: str


@dataclass(frozen=True)
class Group:
    """Scores without an interval: of one treebank, by one metric, of one signature."""

    treebank_id: str
    metric: str
    signature_id: str
    statistics_signature_id: str
    """That of the metric whose statistics by sentence these scores come from."""
    clusters: Clusters
    """What is resampled: documents, equal texts or sentences."""
    scored: Sequence[Scored]
    settings: str
    signature: str
    """How the group is tested; what the rows of the table analysis say."""

    @property
    def analysis_id(self) -> str:
        """The short hash of the signature."""
        return short_hash(self.signature)


def pending_groups(
    database: Database, submissions: Sequence[str] | None, settings: Settings
) -> list[Group]:
    """Return the groups in which an interval is missing, by treebank and metric.

    Raises UnknownNameError for submissions and metrics that do not exist, InputError for a metric
    that no submission is scored by.
    """
    rows = read_tuples(database, "comparable_scores")
    submissions = resolve_submissions(database, submissions)
    for name in {*(settings.metrics or ())} - {row[1] for row in rows}:
        metric_named(name)
        raise InputError(
            f"no submission is scored by '{name}'",
            hint=scoring_hint(name),
        )
    signatures = {(metric, submission): signature for _, metric, signature, submission, *_ in rows}
    complete = set(
        database.connection.execute(
            "SELECT submission_id, signature_id, data_sha256 FROM analysis WHERE analysis = ?",
            [ANALYSIS],
        ).fetchall()
    )
    groups = []
    of_treebank: dict[str, Clusters] = {}
    for (treebank_id, metric, signature_id), members in groupby(rows, lambda row: row[:3]):
        if settings.metrics is not None and metric not in settings.metrics:
            continue
        if treebank_id not in of_treebank:
            of_treebank[treebank_id] = clusters(
                database, treebank_id, unit=settings.resampling_unit
            )
        resampled = of_treebank[treebank_id]
        stated = (
            f"metric:{metric}|replicates:{settings.replicates}|seed:{settings.seed}"
            f"|level:{settings.level}|of:{resampled.number} {resampled.unit}s"
        )
        signature = f"{ANALYSIS}|{stated}|version:{VERSION}|scores:{signature_id}"
        scored = [
            Scored(submission, reason, data)
            for *_, submission, reason, data in members
            if (submissions is None or submission in submissions)
            and (submission, short_hash(signature), data) not in complete
        ]
        if scored:
            statistics = signatures.get((source_of(metric), scored[0].submission_id), signature_id)
            how = (signature_id, statistics, resampled, scored, stated, signature)
            groups.append(Group(treebank_id, metric, *how))
    return groups


def compute(database: Database, group: Group, settings: Settings) -> None:
    """Compute and store the intervals of a group, in one transaction."""
    formula = formulas.formula_of(group.metric)
    defined = [score.submission_id for score in group.scored if score.undefined_reason is None]
    rows: dict[str, dict[str, Any]] = {
        score.submission_id: {
            "submission_id": score.submission_id,
            "sentences": 0,
            "clusters": 0,
            "undefined_reason": score.undefined_reason,
        }
        for score in group.scored
    }
    if defined:
        numbers, statistics = replicates.read_statistics(
            database, formula, group.statistics_signature_id, defined
        )
        sums = cluster_sums(statistics, group.clusters.of(numbers))
        tested = None
        if sums.shape[1] >= intervals.FEWEST_SENTENCES:
            (tested,) = paired_tests(database, [(formula, sums)], (), settings.compared)
        scores = (
            tested.scores if tested else formulas.score_sums(database, formula, sums.sum(axis=1))
        )
        informative = replicates.informative_clusters(database, formula, sums)
        few = informative < intervals.FEWEST_INFORMATIVE
        shares = few.any() and _is_share(database, group, statistics)
        ends = _trial_ends(database, group, formula, defined, settings)
        for place, name in enumerate(defined):
            rows[name] |= {
                "sentences": int(statistics[place].any(axis=1).sum()),
                "clusters": sums.shape[1],
                "score": replicates.number_of(scores[place]),
            }
            counts = (
                sums[place][sums[place, :, 1] > 0] if shares and few[place] else sums[place, :0]
            )
            if len(counts) >= intervals.FEWEST_SENTENCES:
                low, high = intervals.share_interval(counts, settings.level)
                rows[name] |= {"low": low, "high": high, "undefined_reason": None}
            else:
                rows[name] |= _ends(tested, place, bool(few[place]), group.clusters.unit)
            rows[name] |= ends.get(name, {})
    _store(database, group, settings, [rows[name] for name in sorted(rows)])


def _trial_ends(
    database: Database,
    group: Group,
    formula: Formula,
    submissions: Sequence[str],
    settings: Settings,
) -> dict[str, dict[str, Any]]:
    """Return the score and the ends of the interval of those that have several trials."""
    scored = [(name, group.statistics_signature_id) for name in submissions]
    rows: dict[str, dict[str, Any]] = {}
    for name, read in zip(submissions, read_trials(database, formula, scored), strict=True):
        if len(read) < 2:
            continue
        sums = [cluster_sums(own[np.newaxis], group.clusters.of(numbers)) for numbers, own in read]
        side = np.concatenate(sums)
        if side.shape[1] < intervals.FEWEST_SENTENCES:
            continue
        (trials,) = trial_scores(database, formula, [side], settings.compared)
        result = estimate(trials, None, side.shape[1], settings.level)
        low, high = replicates.number_of(result.low), replicates.number_of(result.high)
        reason = intervals.NO_REPLICATE if low is None or high is None else None
        rows[name] = {"score": replicates.number_of(trials.mean), "undefined_reason": reason}
        rows[name] |= {"low": low, "high": high}
    return rows


def _is_share(database: Database, group: Group, statistics: Floats) -> bool:
    """Return whether a metric's scores are shares of cases that are right.

    Its statistics of a sentence are how many are right, and of how many. A metric of which it is
    not known that scores are from 0 to 1 is one where all its scores of the test set's sentences
    are 0 or 1, and both occur.
    """
    if formulas.formula_of(group.metric).score != SENTENCE_MEAN.score:
        return False
    right, cases = statistics[..., 0], statistics[..., 1]
    if (right != np.round(right)).any() or (right < 0).any() or (right > cases).any():
        return False
    definition = metrics().get(group.metric)
    if definition and (definition.lowest, definition.highest) == (0, 1):
        return True
    return bool(
        read_tuples(
            database, "scores_are_yes_or_no", metric=group.metric, treebank=group.treebank_id
        )[0][0]
    )


def _ends(tested: Tested | None, place: int, few: bool, unit: str) -> dict[str, Any]:
    """Return the ends of a submission's interval, or why it has none."""
    if tested is None:
        return {"undefined_reason": intervals.too_few_clusters(unit)}
    if few:
        return {"undefined_reason": intervals.too_few_differ(unit)}
    low, high = replicates.number_of(tested.low[place]), replicates.number_of(tested.high[place])
    reason = intervals.NO_REPLICATE if low is None or high is None else None
    return {"low": low, "high": high, "undefined_reason": reason}


def _store(
    database: Database, group: Group, settings: Settings, rows: Sequence[dict[str, Any]]
) -> None:
    """Store the intervals of a group, all or none, and in ``analysis`` what they rest on."""
    connection = database.connection
    data = {score.submission_id: score.data_sha256 for score in group.scored}
    renewed = sorted(data)
    shared = {
        "signature_id": group.signature_id,
        "metric": group.metric,
        "replicates": settings.replicates,
        "seed": settings.seed,
        "level": settings.level,
        "resampling_unit": group.clusters.unit,
    }
    with database.transaction():
        connection.execute(
            "DELETE FROM score_interval WHERE signature_id = ? AND list_contains(?, submission_id)",
            [group.signature_id, renewed],
        )
        connection.execute(
            "DELETE FROM analysis WHERE analysis = ? AND signature_id <> ? "
            "AND ends_with(signature, ?) AND list_contains(?, submission_id)",
            [ANALYSIS, group.analysis_id, f"|scores:{group.signature_id}", renewed],
        )
        insert(database, "score_interval", [{**row, **shared} for row in rows])
        connection.execute(
            "INSERT OR REPLACE INTO analysis "
            "SELECT ?, unnest(?), ?, ?, ?, unnest(?), ?, now(), next_revision()",
            [
                group.analysis_id,
                renewed,
                ANALYSIS,
                group.settings,
                group.signature,
                [data[name] for name in renewed],
                TOOL_VERSION,
            ],
        )
