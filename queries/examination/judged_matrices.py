"""What people and metrics said of the same outputs, as matrices, and how far they agree in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...schema.database import Database
from ...schema.errors import UnknownNameError, check_choices
from ...schema.names import resolve_criterion
from ...schema.statements import read_rows, read_table
from ..functions import metric_tests, pair_agreement
from ..functions.metric_tests import outliers
from ..functions.pair_agreement import ITEM, NONE
from ..functions.statistics import Booleans, Floats, Integers
from ..metrics.registry import direction

PEOPLE = ("raw", "z")


@dataclass(frozen=True)
class Judged:
    """What people said of a treebank's outputs on a criterion, and metrics of the same."""

    campaign_id: str
    treebank_id: str
    criterion: str
    systems: Sequence[str]
    """The submissions: rows of the matrices."""
    items: Integers
    """The sentences that people judged: their columns."""
    people: Floats
    """NaN where nobody judged an output."""
    metrics: Sequence[str]
    scores: Floats
    """A matrix for each metric, higher being better; NaN where it gives no score."""
    system_scores: Floats
    """A row for each metric, a column for each system: scores of submissions."""

    @property
    def place(self) -> dict[str, str]:
        """What all rows about it begin with."""
        return {
            "campaign_id": self.campaign_id,
            "treebank_id": self.treebank_id,
            "criterion": self.criterion,
        }


def read_judged(
    database: Database,
    *,
    campaigns: Sequence[str] | None = None,
    treebanks: Sequence[str] | None = None,
    criterion: str | None = None,
    people: str = "raw",
) -> list[Judged]:
    """Return what was judged, by campaign, treebank and criterion; ``people`` is raw or z.

    Human references are no systems and left out; baselines and iterations count. Raises
    UnknownNameError where people judged none of these outputs, and for an unknown criterion;
    InputError for another kind of human score.
    """
    check_choices(("kind of human score", people, PEOPLE))
    judged_campaigns = [row["campaign_id"] for row in read_rows(database, "judged_campaigns")]
    matrices = [
        judged
        for campaign_id in campaigns or judged_campaigns
        for judged in judged_matrices(database, campaign_id, people)
        if treebanks is None or judged.treebank_id in treebanks
    ]
    if not matrices:
        raise UnknownNameError(
            "people judged none of these outputs",
            hint="'tracker ingest scores', 'ingest wmt' and 'tracker human' bring human scores; "
            "--people raw or z chooses them",
        )
    wanted = resolve_criterion(criterion, {judged.criterion for judged in matrices})
    return [judged for judged in matrices if wanted in (None, judged.criterion)]


def judged_matrices(database: Database, campaign_id: str, people: str) -> Iterator[Judged]:
    """Yield what was judged of a campaign, by treebank and criterion, as ``read_judged`` does."""
    rows = read_table(database, "judged_outputs", campaign_id=campaign_id, people=people)
    if not rows.num_rows:
        return
    scored = _columns(
        read_table(
            database,
            "scores_of_judged",
            submissions=sorted(set(rows["submission_id"].to_pylist())),
        )
    )
    columns = _columns(rows)
    place = np.stack([columns["treebank_id"], columns["criterion"]])
    changes = np.any(place[:, 1:] != place[:, :-1], axis=0)
    starts = [0, *(1 + np.flatnonzero(changes))]
    for start, end in zip(starts, [*starts[1:], place.shape[1]], strict=True):
        yield _judged(
            (campaign_id, str(place[0, start]), str(place[1, start])),
            {name: values[start:end] for name, values in columns.items()},
            scored,
        )


def parts_of(database: Database, treebank_id: str, kind: str) -> dict[str, list[int]]:
    """Return the sentence numbers of each part that a treebank is cut into by a kind of part."""
    parts: dict[str, list[int]] = {}
    for row in read_rows(database, "parts_of_treebank", treebank_id=treebank_id, kind=kind):
        parts.setdefault(row["part"], []).append(row["sentence_no"])
    return parts


def of_part(judged: Judged, sentence_nos: Sequence[int]) -> Judged:
    """Return what was judged of some of the sentences; systems' scores are means over them."""
    chosen = np.isin(judged.items, sentence_nos)
    people, scores = judged.people[:, chosen], judged.scores[:, :, chosen]
    judged_here: Booleans = np.any(np.isfinite(people), axis=1)
    has_score = np.isfinite(scores)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(has_score, scores, 0).sum(axis=2) / has_score.sum(axis=2)
    return replace(
        judged,
        systems=[
            system
            for system, stays in zip(judged.systems, judged_here.tolist(), strict=True)
            if stays
        ],
        items=judged.items[chosen],
        people=people[judged_here],
        scores=scores[:, judged_here],
        system_scores=means[:, judged_here],
    )


def _judged(place: tuple[str, str, str], rows: dict[str, Any], scored: dict[str, Any]) -> Judged:
    systems, row = np.unique(rows["submission_id"], return_inverse=True)
    items, column = np.unique(rows["sentence_no"], return_inverse=True)
    people = np.full((len(systems), len(items)), np.nan)
    people[row, column] = rows["score"]
    ours = np.isin(scored["submission_id"], systems)
    metrics, metric = np.unique(scored["metric"][ours], return_inverse=True)
    system = np.searchsorted(systems, scored["submission_id"][ours])
    sentence, value = scored["sentence_no"][ours], scored["score"][ours]
    turned = np.array([direction(str(name)) for name in metrics], np.float64)
    value = value * turned[metric] if len(metrics) else value
    whole = sentence == 0
    system_scores = np.full((len(metrics), len(systems)), np.nan)
    system_scores[metric[whole], system[whole]] = value[whole]
    of_sentence = np.isin(sentence, items) & ~whole
    scores = np.full((len(metrics), len(systems), len(items)), np.nan)
    columns = np.searchsorted(items, sentence[of_sentence])
    scores[metric[of_sentence], system[of_sentence], columns] = value[of_sentence]
    return Judged(
        *place,
        systems=[str(name) for name in systems],
        items=items,
        people=people,
        metrics=[str(name) for name in metrics],
        scores=scores,
        system_scores=system_scores,
    )


def _columns(rows: Any) -> dict[str, Any]:
    return {
        name: np.asarray(rows[name].to_pylist(), np.str_)
        if name not in ("sentence_no", "score")
        else rows[name].to_numpy()
        for name in rows.column_names
    }


INTERVAL = (0.025, 0.975)
FEWEST_SYSTEMS = 2
FEWEST_FOR_R = 3
ACCURACY, KENDALL, PEARSON = "accuracy", "kendall", "pearson"
PAIRWISE, SOFT, WITHOUT = "pairwise_accuracy", "soft_accuracy", "pearson_without_outliers"
OF_SENTENCES, OF_SYSTEMS = (ACCURACY, KENDALL, PEARSON), (PAIRWISE, SOFT, PEARSON, WITHOUT)


@dataclass
class Agreement:
    """A statistic of all metrics, and what tells how sure it is."""

    level: str
    grouping: str
    statistic: str
    values: Floats
    replicates: Floats | None = None
    seen: Floats | None = None
    """What the replicates are drawn around: the values of what people and metrics scored."""
    permutation: metric_tests.Tested | None = None
    epsilons: Sequence[float | None] = ()
    systems: int = 0


def of_sentences(judged: Judged, grouping: str, seed: int) -> list[Agreement]:
    """Return acc*_eq, tau-b and r of outputs, each metric on the outputs it scores.

    Each is the mean over groups: items, systems, or all outputs as one (``grouping``).
    """
    count = len(judged.metrics)
    values = {name: np.full(count, np.nan) for name in OF_SENTENCES}
    epsilons: list[float | None] = [None] * count
    for at, metric in enumerate(judged.scores):
        people = np.where(np.isfinite(metric), judged.people, np.nan)
        pairs = pair_agreement.pairs_of_outputs(people, grouping, seed)
        calibrated = pair_agreement.calibrated_accuracy(people, metric, pairs)
        if calibrated is None:
            continue
        values[ACCURACY][at], epsilons[at] = calibrated.accuracy, calibrated.epsilon
        values[KENDALL][at] = mean(pair_agreement.tau_by_group(people, metric, pairs))
        values[PEARSON][at] = mean(pair_agreement.pearson_by_group(people, metric, grouping))
    systems = len(judged.systems)
    return [
        Agreement("sentence", grouping, name, values[name], systems=systems)
        for name in OF_SENTENCES[1:]
    ] + [
        Agreement(
            "sentence",
            grouping,
            ACCURACY,
            values[ACCURACY],
            epsilons=epsilons,
            systems=systems,
        )
    ]


def of_systems(judged: Judged, resamples: int, seed: int) -> list[Agreement]:
    """Return the agreement of systems' scores with people's means."""
    count, systems = len(judged.metrics), len(judged.systems)
    values = {name: np.full(count, np.nan) for name in OF_SYSTEMS}
    means = np.nanmean(judged.people, axis=1)
    ordinary = ~outliers(means)
    for at, scores in enumerate(judged.system_scores):
        defined = np.isfinite(scores)
        if defined.sum() >= FEWEST_SYSTEMS:
            values[PAIRWISE][at] = pair_agreement.pairwise_accuracy(means[defined], scores[defined])
        for name, chosen in ((PEARSON, defined), (WITHOUT, defined & ordinary)):
            if chosen.sum() >= FEWEST_FOR_R:
                r = pair_agreement.correlation_of_means(means[None, chosen], scores[None, chosen])
                values[name][at] = r[0]
    if systems >= FEWEST_SYSTEMS:
        softly = pair_agreement.soft_accuracy(
            judged.people, judged.scores, resamples=resamples, seed=seed
        )
        scored: Booleans = np.isfinite(judged.scores + judged.people)
        complete = np.all(np.any(scored, axis=2), axis=1)
        values[SOFT] = np.where(complete, softly, np.nan)
    return [
        Agreement(
            "system",
            NONE,
            name,
            values[name],
            systems=int(ordinary.sum()) if name == WITHOUT else systems,
        )
        for name in OF_SYSTEMS
    ]


def by_item(judged: Judged, epsilons: Sequence[float], seed: int) -> dict[str, Floats]:
    """Return the statistics of sentences for each metric and item, NaN where there is none."""
    shape = (len(judged.metrics), judged.people.shape[1])
    values = {name: np.full(shape, np.nan) for name in OF_SENTENCES}
    for at, metric in enumerate(judged.scores):
        people = np.where(np.isfinite(metric), judged.people, np.nan)
        pairs = pair_agreement.pairs_of_outputs(people, ITEM, seed)
        if not len(pairs.first):
            continue
        items = np.unique(pairs.first % shape[1])
        values[ACCURACY][at, items] = pair_agreement.accuracy_by_group(
            people, metric, pairs, epsilons[at]
        )
        values[KENDALL][at, items] = pair_agreement.tau_by_group(people, metric, pairs)
        values[PEARSON][at] = pair_agreement.pearson_by_group(people, metric, ITEM)
    return values


def mean(values: Floats) -> float:
    """Return the mean of what is defined, NaN where nothing is."""
    defined = values[np.isfinite(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def interval(replicates: Floats) -> dict[str, float | None]:
    """Return the 95% interval of resampled values, as ``low`` and ``high``; NaN do not count."""
    defined = replicates[np.isfinite(replicates)]
    if not len(defined):
        return {"low": None, "high": None}
    low, high = np.quantile(defined, INTERVAL)
    return {"low": float(low), "high": float(high)}
