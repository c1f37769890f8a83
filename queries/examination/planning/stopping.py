"""When to stop judging: how likely it is that more judgements change the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ....schema.brief import Brief
from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.parameters import ALPHA, SEED, Option, Replicates, Seed
from ....schema.progress import Progress, silent
from ...functions.statistics import Floats, Integers, without_noise
from ...people.rank_tests import rank_clusters, rank_sums_of_counts
from ...resampling import Resampled
from . import LEAST_SENTENCES, Planned, read_judged

TIGHTEST = 200
"""Sentences after which confidence sequences are narrowest."""


@dataclass(frozen=True)
class StopSettings(Resampled):
    """How much further judging is looked at."""

    further: Annotated[
        Sequence[int],
        Option(
            "Numbers of further sentences to look ahead.",
            commas=True,
            metavar="COUNT,…",
            default="a quarter, half, all and twice of those judged",
        ),
    ] = ()
    sure: Annotated[float, Option("Probability of no change at which judging may stop.")] = 0.95
    alpha: Annotated[
        float, Option("One-sided p-value below which two systems differ.", short="--level")
    ] = ALPHA
    replicates: Annotated[Replicates, Option("Continuations to simulate for each number.")] = 500
    seed: Seed = SEED


@dataclass(frozen=True)
class StopRow:
    """How likely nothing changes if so many sentences more are judged."""

    further: int
    best: float
    """Probability that the same system is first."""
    ranking: float
    """Probability that all systems are in the same order."""
    clusters: float
    """Probability that all systems are in the same clusters."""
    agreement: float
    """Expected share of the pairs of systems that stay in their order."""


@dataclass(frozen=True, repr=False)
class StopPlan(Brief):
    """Whether to go on judging."""

    campaign_id: str
    treebank_id: str
    criterion: str
    systems: int
    sentences: int
    settings: StopSettings
    rows: Sequence[StopRow]
    best: str
    """The submission that is first now."""
    clusters: int
    """Rank clusters now."""
    settled_at_any_look: Sequence[str] = ()
    """What may be taken for settled however often one looks: best, ranking."""

    @property
    def settled(self) -> list[str]:
        """What is sure, in one look, not to change however far it goes: best, clusters, ranking."""
        return [
            name
            for name in ("best", "clusters", "ranking")
            if all(getattr(row, name) >= self.settings.sure for row in self.rows)
        ]


def plan_stopping(
    database: Database,
    planned: Planned,
    settings: StopSettings | None = None,
    progress: Progress = silent,
) -> StopPlan:
    """Return how likely the ranking stays as it is if further sentences are judged.

    What further sentences would bring is simulated from those judged: a continuation weighs them
    at random (Rubin's Bayesian bootstrap, 1981: what the test set's other sentences may be like),
    draws the further ones by these weights with the scores of all systems, and ranks systems anew
    on both together, by mean score; clusters are those of rank-sum tests. Predictive probabilities
    are how trials of medicines are stopped (Spiegelhalter et al. 1986). They are of one look: who
    stops at the first of many that is sure enough is right less often than it says (de Heide and
    Grünwald 2021). What is ``settled_at_any_look`` holds for all looks together; see
    ``settled_at_any_look``. The same seed gives the same plan.

    Raises InputError and UnknownNameError as ``read_judged`` does, and InputError for numbers that
    make no sense.
    """
    settings = settings or StopSettings()
    judged = read_judged(database, planned)
    square = judged.square()
    count = square.shape[1]
    further = sorted(set(settings.further)) or [-(-count * part // 4) for part in (1, 2, 4, 8)]
    if min(further) < 1 or not 0 < settings.sure < 1:
        raise InputError("judging cannot be continued so", hint="give numbers from 1")
    if max(further) > 100 * count:
        raise InputError(
            f"{count} judged sentences say nothing about {max(further):,}",
            hint=f"look at most {100 * count:,} sentences ahead",
        )
    scores = _Scores(square)
    now = scores.ranking(np.ones(count, np.int64), settings.alpha)
    rng = np.random.default_rng(settings.seed)
    rows: list[StopRow] = []
    for number in further:
        same = np.zeros(4)
        for replicate in range(settings.replicates):
            weights = rng.dirichlet(np.ones(count))
            times = 1 + rng.multinomial(number, weights)
            same += now.compared(scores.ranking(times, settings.alpha))
            if replicate % 50 == 0:
                done = len(rows) * settings.replicates + replicate
                progress(f"{number} more", done, len(further) * settings.replicates)
        rows.append(StopRow(number, *(float(share) for share in same / settings.replicates)))
    progress("simulated", len(further), len(further))
    return StopPlan(
        campaign_id=judged.campaign_id,
        treebank_id=judged.treebank_id,
        criterion=judged.criterion,
        systems=len(judged.submissions),
        sentences=count,
        settings=settings,
        rows=rows,
        best=judged.submissions[int(now.order[0])],
        clusters=int(now.cluster.max()),
        settled_at_any_look=settled_at_any_look(square, settings.sure),
    )


def settled_at_any_look(square: Floats, sure: float) -> list[str]:
    """Return what is settled of the true means, however often one looks: best, ranking.

    ``square`` has a row of scores for each system, NaN where a sentence was not judged. Each two
    systems' mean difference, over the sentences judged of both, has a confidence sequence: an
    interval that holds the true one after every sentence at once, with probability ``sure``
    divided over the comparisons (Howard et al. 2021; the normal mixture, with the deviation
    estimated, is that of Waudby-Smith et al. 2024). So whoever looks after each batch and stops at
    the first that settles what is best is wrong with a probability of 1 - ``sure`` at most.
    Equal systems are never settled, nor those with fewer than 20 sentences in common.
    """
    defined = np.isfinite(square)
    filled = np.where(defined, square, 0)
    both = defined.astype(np.float64) @ defined.T
    with np.errstate(divide="ignore", invalid="ignore"):
        one = filled @ defined.T
        squares = filled**2 @ defined.T
        difference = (one - one.T) / both
        variance = (squares + squares.T - 2 * filled @ filled.T) / both - difference**2
        deviation = np.sqrt(np.maximum(variance, 0))
    systems = len(square)
    settled = []
    for name, pairs in (("best", systems - 1), ("ranking", systems * (systems - 1) // 2)):
        with np.errstate(divide="ignore", invalid="ignore"):
            above = difference > deviation * _radius(both, (1 - sure) / pairs)
        above &= both >= LEAST_SENTENCES
        wins = above.sum(axis=1)
        if wins.max() == systems - 1 if name == "best" else wins.sum() == pairs:
            settled.append(name)
    return settled


def _radius(sentences: Floats, alpha: float) -> Floats:
    """Return half the width of a confidence sequence after so many sentences, in deviations.

    It is narrowest after TIGHTEST sentences, which are chosen before any is seen.
    """
    spread = (-2 * np.log(alpha) + np.log(1 - 2 * np.log(alpha))) / TIGHTEST
    grown = sentences * spread + 1
    radius: Floats = np.sqrt(2 * grown / (sentences**2 * spread) * np.log(np.sqrt(grown) / alpha))
    return radius


class _Scores:
    """The scores of systems by sentence, ready to be ranked many times."""

    def __init__(self, square: Floats) -> None:
        self.defined = np.isfinite(square)
        self.filled: Floats = np.where(self.defined, square, 0)
        self.rows, self.columns = np.nonzero(self.defined)
        values = without_noise(square[self.defined])
        _, self.codes = np.unique(values, return_inverse=True)

    def ranking(self, times: Integers, level: float) -> _Ranking:
        """Return where systems stand if each sentence was judged so many times."""
        means = (self.filled @ times) / (self.defined @ times)
        order = np.argsort(-means, kind="stable")
        width = int(self.codes.max()) + 1
        counts = np.bincount(
            self.rows * width + self.codes, times[self.columns], len(means) * width
        )
        square = counts.reshape(len(means), width).astype(np.float64)
        p_value = rank_sums_of_counts(square).p_value
        better = np.nan_to_num(p_value, nan=1.0) < level
        cluster = np.empty(len(means), np.int64)
        cluster[order] = rank_clusters(better[np.ix_(order, order)]).cluster
        return _Ranking(means, order, cluster)


@dataclass(frozen=True)
class _Ranking:
    """Where systems stand: their means, their order and their clusters."""

    means: Floats
    order: Integers
    cluster: Integers

    def compared(self, later: _Ranking) -> Floats:
        """Return whether the best, the order and the clusters stay, and the pairs that do."""
        one, other = np.triu_indices(len(self.means), 1)
        stays = np.sign(self.means[one] - self.means[other]) == np.sign(
            later.means[one] - later.means[other]
        )
        return np.array(
            [
                self.order[0] == later.order[0],
                bool(stays.all()),
                bool((self.cluster == later.cluster).all()),
                stays.mean(),
            ],
            dtype=np.float64,
        )
