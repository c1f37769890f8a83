"""Which sentences to judge first, and how well rankings from some agree with those from all."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pyarrow as pa

from ....schema.brief import Brief
from ....schema.database import Database
from ....schema.errors import InputError, check_choices
from ....schema.parameters import REPLICATES, SEED, Option, Replicates, Seed
from ....schema.progress import Progress, silent
from ....schema.statements import read_table
from ...functions.statistics import Floats, Integers
from ...metrics.registry import direction
from ...resampling import Resampled
from . import Planned, read_judged

RANDOM, VARIANCE, DISAGREEMENT, COVERAGE = STRATEGIES = (
    "random",
    "variance",
    "disagreement",
    "coverage",
)


def ordered_sentences(
    database: Database,
    strategy: str,
    treebank_id: str,
    submissions: Sequence[str],
    sentences: Sequence[int],
    rng: np.random.Generator,
) -> list[int]:
    """Return the numbers of sentences, those to judge first at the start.

    - ``random``: shuffled.
    - ``variance``: metrics' scores of the submissions' outputs vary most, in standard deviations
      of the metric, averaged over metrics. Where all systems score alike, people tell none apart.
    - ``disagreement``: metrics contradict each other most on the outputs: the variance over
      metrics of an output's standardised scores, averaged over outputs.
    - ``coverage``: with those before it a sentence covers the most subtree patterns and fifths of
      depth, length, dependency distance and projectivity; what was covered n times counts
      1 / (n + 1).

    Sentences of which a strategy knows nothing come last. Equals come in random order, so that the
    same generator gives the same order. Zouhar et al. 2025 (How to select datapoints for efficient
    human evaluation of NLG models).

    Raises InputError for an unknown strategy, and where there are no scores, or no trees.
    """
    check_choices(("way to choose sentences", strategy, STRATEGIES))
    shuffled = rng.permutation(np.array(sentences, dtype=np.int64))
    if strategy == RANDOM:
        return [int(number) for number in shuffled]
    if strategy == COVERAGE:
        return _by_coverage(database, treebank_id, shuffled)
    worth = _by_scores(database, strategy, submissions, shuffled)
    order = np.argsort(-np.nan_to_num(worth, nan=-1.0), kind="stable")
    return [int(number) for number in shuffled[order]]


def _by_scores(
    database: Database, strategy: str, submissions: Sequence[str], sentences: Integers
) -> Floats:
    """Return what judging each sentence is worth by the metrics' scores; NaN where unknown."""
    rows = read_table(database, "planned_scores", submissions=list(submissions))
    scores = _standardised(rows, submissions, sentences)
    if strategy == DISAGREEMENT and len(scores) < 2:
        raise InputError(
            "metrics disagree where there are two or more",
            hint="'tracker score' computes metrics; 'tracker ingest metric-scores' brings them",
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        within, over = (1, 0) if strategy == VARIANCE else (0, 0)
        worth: Floats = np.nanmean(np.nanvar(scores, axis=within), axis=over)
    return worth


def _standardised(rows: pa.Table, submissions: Sequence[str], sentences: Integers) -> Floats:
    """Return scores by metric, submission and sentence, in standard deviations of the metric.

    Higher is better of all; metrics that do not vary are left out. Raises InputError where there
    are none.
    """
    names, metric = np.unique(rows["metric"].to_pylist(), return_inverse=True)
    place = {number: at for at, number in enumerate(sentences.tolist())}
    system = {name: at for at, name in enumerate(submissions)}
    scores = np.full((len(names), len(submissions), len(sentences)), np.nan)
    columns = [place.get(number, -1) for number in rows["sentence_no"].to_pylist()]
    lines = [system[name] for name in rows["submission_id"].to_pylist()]
    inside = np.array(columns, dtype=np.int64) >= 0
    scores[
        metric[inside], np.array(lines, np.int64)[inside], np.array(columns, np.int64)[inside]
    ] = rows["score"].to_numpy()[inside]
    standard = []
    for name, values in zip(names, scores, strict=True):
        defined = values[np.isfinite(values)]
        if len(defined) and defined.std() > 0:
            standard.append(direction(str(name)) * (values - defined.mean()) / defined.std())
    if not standard:
        raise InputError(
            "no metric's scores of these outputs vary",
            hint="'tracker score' computes them; or choose at random",
        )
    return np.array(standard)


def _by_coverage(database: Database, treebank_id: str, sentences: Integers) -> list[int]:
    """Return the sentences in the order in which they cover most; those without trees last."""
    rows = read_table(database, "planned_features", treebank=treebank_id)
    place = {number: at for at, number in enumerate(sentences.tolist())}
    at = np.array(
        [place.get(sentence, -1) for sentence in rows["sentence_no"].to_pylist()], np.int64
    )
    feature = np.unique(rows["feature"].to_pylist(), return_inverse=True)[1][at >= 0]
    at = at[at >= 0]
    if not len(at):
        raise InputError(
            "the sentences have no trees to cover",
            where=treebank_id,
            hint="choose by variance or disagreement of metrics, or at random",
        )
    has = _grouped(at, feature, len(sentences))
    held_by = _grouped(feature, at, int(feature.max()) + 1)
    times = np.zeros(int(feature.max()) + 1)
    gain = np.bincount(at, minlength=len(sentences)).astype(np.float64)
    order: list[int] = []
    for _ in range(len(sentences)):
        chosen = int(np.argmax(gain))
        order.append(int(sentences[chosen]))
        for one in has(chosen):
            lost = 1 / (times[one] + 1) - 1 / (times[one] + 2)
            gain[held_by(one)] -= lost
            times[one] += 1
        gain[chosen] = -np.inf
    return order


def _grouped(keys: Integers, values: Integers, count: int) -> Callable[[int], Integers]:
    """Return a function that gives the values of a key."""
    order = np.argsort(keys, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=count))])
    ordered = values[order]
    return lambda key: ordered[ends[key] : ends[key + 1]]


@dataclass(frozen=True)
class ItemSettings(Resampled):
    """Which ways to choose are compared, and at which sizes."""

    strategies: Annotated[
        Sequence[str],
        Option("Ways to choose sentences.", flag="--by", choices=STRATEGIES, commas=True),
    ] = STRATEGIES
    items: Annotated[
        Sequence[int], Option("Numbers of sentences to choose.", commas=True, metavar="COUNT,…")
    ] = (25, 50, 100, 200)
    replicates: Annotated[Replicates, Option("Random choices to compare the others with.")] = (
        REPLICATES
    )
    seed: Seed = SEED


@dataclass(frozen=True)
class ItemRow:
    """How a ranking from the sentences that a strategy chooses agrees with the whole one."""

    strategy: str
    items: int
    agreement: float
    """Share of the pairs of systems in the same order; half for a tie. Of random choices the
    mean."""
    low: float | None
    """Of random choices: 5 % agree less."""
    high: float | None
    """Of random choices: 5 % agree more."""
    better_than_random: float | None
    """Share of the random choices that agree less, ties counting half; None for random."""


@dataclass(frozen=True, repr=False)
class ItemPlan(Brief):
    """Which sentences to judge."""

    campaign_id: str
    treebank_id: str
    criterion: str
    systems: int
    sentences: int
    settings: ItemSettings
    rows: Sequence[ItemRow]
    left_out: Sequence[str]
    """Strategies that had nothing to go by, and why."""


def plan_items(
    database: Database,
    planned: Planned,
    settings: ItemSettings | None = None,
    progress: Progress = silent,
) -> ItemPlan:
    """Return how well each way of choosing sentences finds the ranking that all of them give.

    Systems are ranked by people's mean scores on the chosen sentences, and on all that were judged.
    Random choices are repeated; a strategy that is worth its trouble agrees more than most of
    them. The same seed gives the same plan.

    Raises InputError and UnknownNameError as ``read_judged`` does, and InputError for unknown
    strategies and numbers below 1; strategies without scores or trees are left out with a reason,
    unless only they were asked for.
    """
    settings = settings or ItemSettings()
    if min(settings.items, default=0) < 1:
        raise InputError("nothing can be chosen so", hint="give numbers of sentences from 1")
    judged = read_judged(database, planned)
    square = judged.square()
    sizes = sorted({min(size, len(judged.sentences)) for size in settings.items})
    whole = _means(square)
    rows: list[ItemRow] = []
    left_out: list[str] = []
    draws = _random_agreements(square, whole, sizes, settings)
    place = {number: at for at, number in enumerate(judged.sentences)}
    for done, strategy in enumerate(settings.strategies):
        progress(strategy, done, len(settings.strategies))
        if strategy == RANDOM:
            rows += [
                ItemRow(
                    RANDOM,
                    size,
                    float(shares.mean()),
                    float(np.quantile(shares, 0.05)),
                    float(np.quantile(shares, 0.95)),
                    None,
                )
                for size, shares in draws.items()
            ]
            continue
        try:
            order = ordered_sentences(
                database,
                strategy,
                judged.treebank_id,
                judged.submissions,
                judged.sentences,
                np.random.default_rng(settings.seed),
            )
        except InputError as error:
            if strategy not in STRATEGIES or len(settings.strategies) == 1:
                raise
            left_out.append(f"{strategy}: {error.message}")
            continue
        chosen = np.array([place[number] for number in order])
        for size, shares in draws.items():
            agreement = float(agreements(_means(square[:, chosen[:size]])[None], whole)[0])
            less = float((shares < agreement).mean() + (shares == agreement).mean() / 2)
            rows.append(ItemRow(strategy, size, agreement, None, None, less))
    progress("compared", len(settings.strategies), len(settings.strategies))
    return ItemPlan(
        campaign_id=judged.campaign_id,
        treebank_id=judged.treebank_id,
        criterion=judged.criterion,
        systems=len(judged.submissions),
        sentences=len(judged.sentences),
        settings=settings,
        rows=rows,
        left_out=left_out,
    )


def agreements(means: Floats, whole: Floats) -> Floats:
    """Return the share of pairs of systems that rows of means order as the whole does.

    Ties on either side count half, pairs without a mean not at all.
    """
    one, other = np.triu_indices(len(whole), 1)
    expected = np.sign(whole[one] - whole[other])
    signs = np.sign(means[:, one] - means[:, other])
    same = np.where((signs == 0) | (expected == 0), 0.5, signs == expected)
    defined = np.isfinite(signs) & np.isfinite(expected)
    with np.errstate(invalid="ignore"):
        share: Floats = np.where(defined, same, 0).sum(axis=1) / defined.sum(axis=1)
    return np.nan_to_num(share, nan=0.5)


def _means(square: Floats) -> Floats:
    """Return the mean of each system's judged sentences; NaN where there is none."""
    defined = np.isfinite(square)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(defined, square, 0).sum(axis=-1) / defined.sum(axis=-1)
    return means


def _random_agreements(
    square: Floats, whole: Floats, sizes: Sequence[int], settings: ItemSettings
) -> dict[int, Floats]:
    """Return for each size how well random choices agree, each one the start of the next."""
    rng = np.random.default_rng(settings.seed)
    orders: Integers = np.argsort(rng.random((settings.replicates, square.shape[1])), axis=1)
    defined = np.isfinite(square)
    filled = np.where(defined, square, 0)
    by_size = {}
    for size in sizes:
        chosen = np.zeros((settings.replicates, square.shape[1]))
        np.put_along_axis(chosen, orders[:, :size], 1, axis=1)
        with np.errstate(invalid="ignore"):
            means = (chosen @ filled.T) / (chosen @ defined.T.astype(float))
        by_size[size] = agreements(means, whole)
    return by_size
