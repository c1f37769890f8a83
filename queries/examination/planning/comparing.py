"""How well rankings from some sentences agree with the ranking from all that were judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ....schema.brief import Brief
from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.parameters import REPLICATES, SEED, Option, Replicates, Seed
from ....schema.progress import Progress, silent
from ...functions.statistics import Floats, Integers
from ...resampling import check_resampling
from . import Planned, read_judged
from .choosing import RANDOM, STRATEGIES, ordered_sentences


@dataclass(frozen=True)
class ItemSettings:
    """Which ways to choose are compared, and at which sizes."""

    strategies: Annotated[
        Sequence[str],
        Option("Ways to choose sentences.", flag="--by", choices=STRATEGIES, commas=True),
    ] = STRATEGIES
    items: Annotated[
        Sequence[int], Option("Numbers of sentences to choose.", commas=True, metavar="COUNT,…")
    ] = (25, 50, 100, 200)
    replicates: Annotated[
        Replicates, Option("Random choices that the others are held against.")
    ] = REPLICATES
    seed: Seed = SEED

    def __post_init__(self) -> None:
        """Raise InputError for what cannot be resampled."""
        check_resampling(self.replicates, self.seed)


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
                    float(found.mean()),
                    float(np.quantile(found, 0.05)),
                    float(np.quantile(found, 0.95)),
                    None,
                )
                for size, found in draws.items()
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
        for size, found in draws.items():
            agreement = float(agreements(_means(square[:, chosen[:size]])[None], whole)[0])
            less = float((found < agreement).mean() + (found == agreement).mean() / 2)
            rows.append(ItemRow(strategy, size, agreement, None, None, less))
    progress("compared", len(settings.strategies), len(settings.strategies))
    return ItemPlan(
        judged.campaign_id,
        judged.treebank_id,
        judged.criterion,
        len(judged.submissions),
        len(judged.sentences),
        settings,
        rows,
        left_out,
    )


def agreements(means: Floats, whole: Floats) -> Floats:
    """Return the share of pairs of systems that rows of means order as the whole does.

    Ties on either side count half, pairs without a mean not at all.
    """
    one, other = np.triu_indices(len(whole), 1)
    expected = np.sign(whole[one] - whole[other])
    found = np.sign(means[:, one] - means[:, other])
    same = np.where((found == 0) | (expected == 0), 0.5, found == expected)
    known = np.isfinite(found) & np.isfinite(expected)
    with np.errstate(invalid="ignore"):
        share: Floats = np.where(known, same, 0).sum(axis=1) / known.sum(axis=1)
    return np.nan_to_num(share, nan=0.5)


def _means(square: Floats) -> Floats:
    """Return the mean of each system's judged sentences; NaN where there is none."""
    known = np.isfinite(square)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(known, square, 0).sum(axis=-1) / known.sum(axis=-1)
    return means


def _random_agreements(
    square: Floats, whole: Floats, sizes: Sequence[int], settings: ItemSettings
) -> dict[int, Floats]:
    """Return for each size how well random choices agree, each one the start of the next."""
    rng = np.random.default_rng(settings.seed)
    orders: Integers = np.argsort(rng.random((settings.replicates, square.shape[1])), axis=1)
    known = np.isfinite(square)
    filled = np.where(known, square, 0)
    found = {}
    for size in sizes:
        chosen = np.zeros((settings.replicates, square.shape[1]))
        np.put_along_axis(chosen, orders[:, :size], 1, axis=1)
        with np.errstate(invalid="ignore"):
            means = (chosen @ filled.T) / (chosen @ known.T.astype(float))
        found[size] = agreements(means, whole)
    return found
