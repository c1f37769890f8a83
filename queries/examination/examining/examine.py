"""Examining one metric by what people said of the same outputs, and by its own repeated runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from ....schema.database import Database
from ....schema.names import check_names
from ....schema.progress import Progress, silent
from ....schema.statements import read_rows, read_table
from ...clusters import Clusters, clusters
from ...functions import metric_tests, pair_agreement
from ...functions.pair_agreement import ITEM, SYSTEM
from ...functions.statistics import Booleans, Floats, finite
from .. import examining, judged_matrices
from .deviations import (
    calibrated,
    favoured_family,
    favoured_lengths,
    favoured_systems,
    favours,
    relation_effects,
)

Parts = Mapping[str, Mapping[str, Sequence[int]]]
"""Sentence numbers by kind of part and part."""


def agreement_by_part(
    scored: examining.Scored,
    parts: Parts,
    together: Clusters,
    languages: Mapping[str, str | None],
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Yield acc*_eq, tau-b and r of outputs, of all items, of parts of them, and of each system.

    Of items the statistics are means over items, whose outputs are compared (``grouping`` item);
    of a system they are of its outputs to different items.
    """
    judged = scored.judged
    place = {
        **scored.judged.place,
        "language": languages.get(judged.treebank_id),
        "metric": judged.metrics[0],
    }
    for row in _of_items(scored, seed):
        yield {**place, "part_kind": "all", "part": "all", **row}
    for kind, by_part in parts.items():
        for part, sentence_nos in by_part.items():
            narrowed = judged_matrices.of_part(judged, sentence_nos)
            if len(narrowed.systems):
                of_part_alone = examining.scored_by(
                    narrowed, judged.metrics[0], together, len(scored.draws), seed
                )
                for row in _of_items(of_part_alone, seed):
                    yield {**place, "part_kind": kind, "part": part, **row}
    for system, row in _of_systems(scored, seed):
        yield {**place, "part_kind": "system", "part": system, **row}


def _of_items(scored: examining.Scored, seed: int) -> Iterator[dict[str, Any]]:
    judged = scored.judged
    results = {
        result.statistic: result for result in judged_matrices.of_sentences(judged, ITEM, seed)
    }
    epsilon = next(iter(results[judged_matrices.ACCURACY].epsilons))
    values = judged_matrices.by_item(judged, [epsilon or 0.0], seed)
    for name in judged_matrices.OF_SENTENCES:
        replicates = metric_tests.resampled_means(values[name], scored.draws)[0]
        yield _row(ITEM, name, float(results[name].values[0]), replicates, scored.both)


def _of_systems(scored: examining.Scored, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    judged = scored.judged
    people = np.where(scored.both, judged.people, np.nan)
    metric = np.where(scored.both, judged.scores[0], np.nan)
    replicates = _resampled_r(scored)
    for at, system in enumerate(judged.systems):
        own_people, own_metric = people[at : at + 1], metric[at : at + 1]
        pairs = pair_agreement.pairs_of_outputs(own_people, SYSTEM, seed)
        calibrated = pair_agreement.calibrated_accuracy(own_people, own_metric, pairs)
        tau = pair_agreement.tau_by_group(own_people, own_metric, pairs)
        drawn = {judged_matrices.PEARSON: replicates[:, at]}
        if calibrated and not pairs.drawn:
            drawn |= _resampled_orders(
                own_people[0], own_metric[0], calibrated.epsilon, scored.draws
            )
        values = {
            judged_matrices.ACCURACY: calibrated.accuracy if calibrated else np.nan,
            judged_matrices.KENDALL: tau[0] if len(tau) else np.nan,
            judged_matrices.PEARSON: pair_agreement.pearson_by_group(
                own_people, own_metric, SYSTEM
            )[0],
        }
        for name in judged_matrices.OF_SENTENCES:
            both = scored.both[at : at + 1]
            yield system, _row(SYSTEM, name, float(values[name]), drawn.get(name), both)


def _resampled_r(scored: examining.Scored) -> Floats:
    """Return r of each system's outputs (column) in each resample of the items (row)."""
    people, metric, both = scored.people, scored.metric, scored.both
    count, of_people, of_metric, products, squares, other_squares = (
        scored.draws @ part.T
        for part in (both, people, metric, people * metric, people**2, metric**2)
    )
    spread = (count * squares - of_people**2) * (count * other_squares - of_metric**2)
    return examining.ratio(count * products - of_people * of_metric, spread.clip(0) ** 0.5)


def _resampled_orders(
    people: Floats, metric: Floats, epsilon: float, draws: Floats
) -> dict[str, Floats]:
    """Return acc*_eq and tau-b of one system's outputs in each resample of the items.

    They are sums over pairs, weighted by how often both items were drawn; an item that was drawn
    twice is no pair with itself. ``epsilon`` stays what it is for all items.
    """
    both = np.isfinite(people)
    human, scores = people[both], metric[both]
    drawn = draws[:, both].astype(np.float32)
    apart = np.subtract.outer(scores, scores)
    signs, other_signs = np.sign(np.subtract.outer(human, human)), np.sign(apart)
    right = np.where(np.abs(apart) <= epsilon, 0, other_signs) == signs
    np.fill_diagonal(right, val=False)

    def over_pairs(counted: Floats | Booleans) -> Floats:
        sums: Floats = ((drawn @ counted.astype(np.float32)) * drawn).sum(axis=1, dtype=np.float64)
        return sums

    concordance = over_pairs(signs * other_signs)
    untied = over_pairs(signs != 0) * over_pairs(other_signs != 0)
    return {
        judged_matrices.ACCURACY: examining.ratio(
            over_pairs(right), over_pairs(~np.eye(len(human), dtype=np.bool_))
        ),
        judged_matrices.KENDALL: examining.ratio(concordance, untied**0.5),
    }


def _row(
    grouping: str, statistic: str, value: float, replicates: Floats | None, both: Any
) -> dict[str, Any]:
    number = finite(value)
    undefined = {"low": None, "high": None}
    few = both.sum() < judged_matrices.FEWEST_FOR_R
    return {
        "grouping": grouping,
        "statistic": statistic,
        "value": number,
        **(
            undefined
            if number is None or replicates is None
            else judged_matrices.interval(replicates)
        ),
        "items": int(both.any(axis=0).sum()),
        "outputs": int(both.sum()),
        "undefined_reason": None
        if number is not None
        else f"fewer than {judged_matrices.FEWEST_FOR_R} judged outputs have a score"
        if few
        else "people's scores, or the metric's, do not vary",
    }


def stability(
    scored: examining.Scored, judged: judged_matrices.Judged, runs: Sequence[str], seed: int
) -> dict[str, Any] | None:
    """Return how far runs of a metric agree on the judged outputs that all of them scored.

    ``deviation``: standard deviation of the runs' scores of one output, root mean square over
    outputs; ``deviation_of_spread``: by the standard deviation of all scores. ``alpha``:
    Krippendorff's alpha for intervals, runs being the raters. ``icc``: intraclass correlation of a
    single run, for its scores to be the same, with an interval by the F distribution, and
    ``icc_consistency`` for them to be the same but for a constant of each run: the cases (2,1) and
    (3,1) of Shrout and Fleiss (1979), outputs being the targets and runs the judges. ``flipped``:
    share of the pairs of outputs of an item that two runs put in opposite orders, mean over pairs
    of runs; ``lowest_tau`` and ``highest_tau``: agreement of single runs with people. None for one
    run.
    """
    if len(runs) < 2:
        return None
    stack = np.stack([judged.scores[list(judged.metrics).index(run)] for run in runs])
    shared = np.isfinite(stack).all(axis=0) & scored.both
    row: dict[str, Any] = {**scored.judged.place, "runs": len(runs), "outputs": int(shared.sum())}
    people = np.where(shared, judged.people, np.nan)
    pairs = pair_agreement.pairs_of_outputs(people, ITEM, seed)
    scores = stack[:, shared]
    spread = float(scores.std()) if scores.size else 0.0
    if not spread or not len(pairs.first):
        reason = "the runs scored no two outputs of an item, or gave them one score"
        return row | dict.fromkeys(_NAMES) | {"undefined_reason": reason}
    within = scores.var(axis=0, ddof=1).mean()
    taus = [pair_agreement.tau_by_group(people, run, pairs) for run in stack]
    mean_taus = [float(np.nanmean(run)) for run in taus if np.isfinite(run).any()]
    return row | {
        "deviation": float(np.sqrt(within)),
        "deviation_of_spread": float(np.sqrt(within)) / spread,
        "alpha": finite(1 - within / float(scores.var(ddof=1))),
        **intraclass(scores),
        "flipped": float(np.mean(_flipped(stack, pairs))),
        "lowest_tau": min(mean_taus, default=None),
        "highest_tau": max(mean_taus, default=None),
        "undefined_reason": None,
    }


_NAMES = (
    *("deviation", "deviation_of_spread", "alpha", "icc", "low", "high", "icc_consistency"),
    *("flipped", "lowest_tau", "highest_tau"),
)


def intraclass(scores: Floats) -> dict[str, Any]:
    """Return both intraclass correlations of runs; ``low`` and ``high`` are the first one's ends.

    ``scores`` has the shape (runs, outputs). The interval of 95 % is that of Shrout and Fleiss
    (1979, page 424), by the F distribution: it takes the runs for some of those there might have
    been, so that few of them leave it wide. Undefined numbers are None.
    """
    from scipy.stats import f

    k, n = scores.shape
    of_outputs, of_runs = scores.mean(axis=0), scores.mean(axis=1)
    between = k * of_outputs.var(ddof=1)
    of_run = n * of_runs.var(ddof=1)
    left = scores - of_outputs - of_runs[:, np.newaxis] + scores.mean()
    error = float((left**2).sum()) / ((n - 1) * (k - 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        same = (between - error) / (between + (k - 1) * error + k / n * (of_run - error))
        ratio_of_runs = of_run / error
        weighted = n * (1 + (k - 1) * same) - k * same
        freedom = (
            (k - 1)
            * (n - 1)
            * (k * same * ratio_of_runs + weighted) ** 2
            / ((n - 1) * k**2 * same**2 * ratio_of_runs**2 + weighted**2)
        )
        lower, upper = f.ppf(0.975, n - 1, freedom), f.ppf(0.975, freedom, n - 1)
        rest = k * of_run + (k * n - k - n) * error
        low = n * (between - lower * error) / (lower * rest + n * between)
        high = n * (upper * between - error) / (rest + n * upper * between)
        consistent = (between - error) / (between + (k - 1) * error)
    return {
        "icc": finite(float(same)),
        "low": finite(float(low)),
        "high": finite(float(high)),
        "icc_consistency": finite(float(consistent)),
    }


def _flipped(stack: Floats, pairs: pair_agreement.Pairs) -> list[float]:
    signs = [np.sign(pair_agreement.differences(scores, pairs)) for scores in stack]
    return [float((one * other < 0).mean()) for one, other in combinations(signs, 2)]


PARTS = ("domain", "length", "complexity")


def examine(
    database: Database,
    metric: str,
    *,
    campaigns: Sequence[str] | None = None,
    treebanks: Sequence[str] | None = None,
    criterion: str | None = None,
    settings: examining.ExaminationSettings | None = None,
    progress: Progress = silent,
) -> examining.Examination:
    """Return how one metric stands to people, for each treebank and criterion that they judged.

    Nothing is stored. Scores are turned so that higher is better. Raises UnknownNameError where
    people judged nothing that the metric scored, and for systems or repeats that do not exist.
    """
    settings = settings or examining.ExaminationSettings()
    matrices = judged_matrices.read_judged(
        database,
        campaigns=campaigns,
        treebanks=treebanks,
        criterion=criterion,
        people=settings.people,
    )
    scored_metrics = {table for judged in matrices for table in judged.metrics}
    check_names("metric that scored what people judged", [metric], scored_metrics)
    check_names("metric that scored what people judged", settings.repeats, scored_metrics)
    matrices = [judged for judged in matrices if metric in judged.metrics]
    facts = _Facts(database, matrices)
    check_names("judged system", settings.own, {*facts.system_of.values()})
    settings = replace(settings, own=[*settings.own, *facts.tagged(settings.own_tags or {})])
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in examining.TABLES}
    for done, judged in enumerate(matrices):
        progress(f"{judged.treebank_id}, {judged.criterion}", done, len(matrices))
        together = clusters(database, judged.treebank_id)
        scored = examining.scored_by(judged, metric, together, settings.replicates, settings.seed)
        _add(rows, database, scored, judged, together, facts, settings)
    progress("examined", len(matrices), len(matrices))
    tables = {name: pa.Table.from_pylist(table) for name, table in rows.items()}
    return examining.Examination(
        metric,
        settings.people,
        **tables,
        resamples=settings.replicates,
        seed=settings.seed,
    )


class _Facts:
    """What is known of the judged submissions and treebanks."""

    def __init__(self, database: Database, matrices: Sequence[judged_matrices.Judged]) -> None:
        self._database = database
        submissions = sorted({system for judged in matrices for system in judged.systems})
        facts = read_rows(database, "judged_submissions", submissions=submissions)
        self.system_of: Mapping[str, str] = {
            row["submission_id"]: row["system_id"] for row in facts
        }
        self.languages = {row["treebank_id"]: row["language"] for row in facts}
        self._tags = {row["submission_id"]: json.loads(row["tags"] or "{}") for row in facts}

    def tagged(self, tags: Mapping[str, str]) -> list[str]:
        """Return the systems with a submission that has one of the tags.

        Raises UnknownNameError for a tag that none has.
        """
        systems: dict[str, set[str]] = {}
        for submission, own in self._tags.items():
            for name, value in own.items():
                systems.setdefault(f"{name}={value}", set()).add(self.system_of[submission])
        wanted = [f"{name}={value}" for name, value in tags.items()]
        check_names("tag of judged submissions", wanted, systems)
        return sorted({system for tagged_name in wanted for system in systems[tagged_name]})

    def lengths(self, judged: judged_matrices.Judged) -> Floats:
        """Return the characters of the outputs, 0 where there is none."""
        outputs = read_table(
            self._database,
            "lengths_of_judged",
            submissions=list(judged.systems),
            sentence_nos=judged.items.tolist(),
        )
        lengths = np.zeros((len(judged.systems), len(judged.items)))
        row = np.searchsorted(
            judged.systems, np.asarray(outputs["submission_id"].to_pylist(), np.str_)
        )
        column = np.searchsorted(judged.items, outputs["sentence_no"].to_numpy())
        lengths[row, column] = outputs["characters"].to_numpy()
        return lengths


def _add(
    rows: dict[str, list[dict[str, Any]]],
    database: Database,
    scored: examining.Scored,
    judged: judged_matrices.Judged,
    together: Clusters,
    facts: _Facts,
    settings: examining.ExaminationSettings,
) -> None:
    parts = {kind: judged_matrices.parts_of(database, judged.treebank_id, kind) for kind in PARTS}
    rows["agreement"] += agreement_by_part(scored, parts, together, facts.languages, settings.seed)
    favoured = favours(scored)
    rows["systems"] += favoured_systems(scored, favoured)
    rows["own"] += favoured_family(scored, favoured, settings.own, facts.system_of)
    rows["lengths"].append(favoured_lengths(scored, favoured, facts.lengths(judged)))
    line, bins = calibrated(scored)
    rows["calibration"].append(line)
    rows["bins"] += bins
    runs = [
        name
        for name in dict.fromkeys([scored.judged.metrics[0], *settings.repeats])
        if name in judged.metrics
    ]
    stable = stability(scored, judged, runs, settings.seed)
    rows["stability"] += [stable] if stable else []
    rows["relations"] += relation_effects(database, scored)
