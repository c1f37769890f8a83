"""People's ratings, and metrics held against them: rankings, plans, agreement, favour.

Where many criteria are judged at once, a run is a criterion; where metrics are held against people,
a campaign.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sr_tracker.queries.examination.planning import LEAST_SENTENCES
from tests.validity.simulation import Observed
from tests.validity.worlds import DOCUMENT, Floats, World, world

ALPHA = 0.05
ANNOTATORS = 4
SYSTEMS, METRICS = 8, 8
GAP = 0.05
"""Between a system and the next, in standard deviations of ratings of a sentence."""
LOOKS = (0.2, 0.4, 0.6, 0.8)
"""Shares of all sentences after which one looks whether to stop."""
MANY_LOOKS = 5
SURE = 0.95
RESAMPLES = 300
NOISE = 1.0
"""Of a rating, where how far annotators agree is asked."""
FAVOUR = 0.3
"""Of a metric for a system, in standard deviations of its scores."""


def ratings(rng: np.random.Generator, shape: tuple[int, int], of_document: float = 0) -> Floats:
    """Return ratings in standard deviations: sentences are as hard for all, documents are not."""
    systems, sentences = shape
    documents = rng.normal(0, of_document, (systems, -(-sentences // DOCUMENT)))
    own = np.repeat(documents, DOCUMENT, axis=1)[:, :sentences]
    rated: Floats = rng.normal(size=shape) + rng.normal(0, 0.5, sentences) + own
    return rated


def scaled(rng: np.random.Generator, values: Floats, annotators: Floats, strict: float) -> Floats:
    """Return ratings as annotators give them: each with a mean and a spread of their own."""
    count = int(annotators.max()) + 1
    mean, spread = rng.normal(50, strict, count), rng.uniform(8, 14, count)
    judged: Floats = mean[annotators] + spread[annotators] * values
    return judged


def judged_alike(
    of_document: float, *, own: bool = False, **settings: str
) -> Callable[[int, int, int], Observed]:
    """Return a simulation of rankings of two systems that are equally good.

    ``own``: each is judged by annotators of its own.
    """

    def simulate(sentences: int, runs: int, seed: int) -> Observed:
        rng = np.random.default_rng(seed)
        annotators = np.tile(np.arange(sentences) % ANNOTATORS, (2, 1))
        annotators[1] += ANNOTATORS if own else 0
        with world(sentences, documents=of_document > 0) as there:
            ids = [name for (name,) in there.submissions(2)]
            drawn = {
                f"c{run}": scaled(
                    rng, ratings(rng, (2, sentences), of_document), annotators, 6 if own else 2
                )
                for run in range(runs)
            }
            there.judge(ids, drawn, annotators)
            there.db.human("C", settings)
            rows = there.database.connection.execute(
                "SELECT min(p_value) FROM human_pairs WHERE annotators = 'all' GROUP BY criterion"
            ).fetchall()
        return {"test": [np.nan if p is None else float(p < ALPHA) for (p,) in rows]}

    return simulate


rank_sum, signed_rank = judged_alike(0), judged_alike(0, test="signed-rank")
rank_sum_documents = judged_alike(0.5)
signed_rank_documents = judged_alike(0.5, test="signed-rank")
wmt24 = judged_alike(0.5, test="wmt24")
own_z, own_raw = judged_alike(0, own=True), judged_alike(0, own=True, ranked_by="raw")


def agreeing(of_document: float) -> Callable[[int, int, int], Observed]:
    """Return a simulation of agreement: each output has two ratings, alpha is known."""

    def simulate(sentences: int, runs: int, seed: int) -> Observed:
        rng = np.random.default_rng(seed)
        shape = (2, sentences)
        first = np.tile(np.arange(sentences) % ANNOTATORS, (2, 1))
        shared = 1 + 0.5**2 + of_document**2
        truth = shared / (shared + NOISE**2)
        drawn = {}
        for run in range(runs):
            rated = ratings(rng, shape, of_document)
            both = rated + rng.normal(0, NOISE, (2, *shape))
            drawn[f"c{run}"] = 50 + 8 * both.reshape(4, sentences)
        with world(sentences, documents=of_document > 0) as there:
            ids = [name for (name,) in there.submissions(2)]
            there.judge(ids * 2, drawn, np.concatenate([first, (first + 1) % ANNOTATORS]))
            there.db.human("C")
            rows = there.rows(
                "SELECT low <= $1 AND $1 <= high FROM agreement_of_annotators "
                "WHERE kind = 'alpha' AND annotators = 'all'",
                truth,
            )
        return {"interval": [np.nan if held is None else float(held) for (held,) in rows]}

    return simulate


agreement, agreement_documents = agreeing(0), agreeing(0.7)


def stopping(sentences: int, runs: int, seed: int) -> Observed:
    """Observe whether the best system at the first sure look is the best of all sentences."""
    rng = np.random.default_rng(seed)
    annotators = np.tile(np.arange(sentences) % ANNOTATORS, (3, 1))
    looks = [round(share * sentences) for share in LOOKS]
    drawn, best = {}, []
    for run in range(runs):
        whole = 50 + 10 * (ratings(rng, (3, sentences)) + GAP * np.arange(3)[:, np.newaxis])
        best.append(int(whole.mean(axis=1).argmax()))
        for look in looks:
            seen = whole.copy()
            seen[:, look:] = np.nan
            drawn[f"c{run}_{look}"] = seen
    one, first = [], []
    with world(sentences) as there:
        ids = [name for (name,) in there.submissions(3)]
        there.judge(ids, drawn, annotators)
        for run in range(runs):
            stays = []
            for look in looks:
                plan = there.db.plan_stopping(
                    {"further": [sentences - look], "replicates": 200, "sure": SURE},
                    criterion=f"c{run}_{look}", ranked_by="raw",
                )  # fmt: skip
                sure = "best" in plan.settled
                stays.append(float(plan.best == ids[best[run]]) if sure else np.nan)
            one.append(stays[1])
            first.append(next((stay for stay in stays if np.isfinite(stay)), np.nan))
    return {"one": one, "first": first}


def looks(sentences: int, runs: int, seed: int) -> Observed:
    """Observe what is settled at some look, of equal systems and where one is better."""
    rng = np.random.default_rng(seed)
    annotators = np.tile(np.arange(sentences) % ANNOTATORS, (3, 1))
    ahead = {"equal": 0.0, "better": 0.5}
    at = np.linspace(LEAST_SENTENCES, sentences, MANY_LOOKS).astype(int)
    drawn = {}
    for name, gap in ahead.items():
        for run in range(runs):
            whole = 50 + 10 * ratings(rng, (3, sentences))
            whole[0] += 10 * gap
            for look in at:
                drawn[f"{name}{run}_{look}"] = seen = whole.copy()
                seen[:, look:] = np.nan
    settled = {}
    with world(sentences) as there:
        ids = [name for (name,) in there.submissions(3)]
        there.judge(ids, drawn, annotators)
        for criterion in drawn:
            plan = there.db.plan_stopping(
                {"further": [1], "replicates": 1, "sure": SURE},
                criterion=criterion, ranked_by="raw",
            )  # fmt: skip
            settled[criterion] = plan.best if "best" in plan.settled_at_any_look else None
    at_some = {
        name: [[settled[f"{name}{run}_{look}"] for look in at] for run in range(runs)]
        for name in ahead
    }
    return {
        "equal": [float(any(of_run)) for of_run in at_some["equal"]],
        "better": [float(ids[0] in of_run) for of_run in at_some["better"]],
    }


def campaigns(
    there: World,
    runs: int,
    seed: int,
    draw: Callable[[np.random.Generator, int], tuple[Floats, Floats]],
) -> list[str]:
    """Load campaigns, each with people's ratings and metrics' scores of its own."""
    rng = np.random.default_rng(seed)
    annotators = np.tile(np.arange(there.sentences) % ANNOTATORS, (SYSTEMS, 1))
    ids: list[str] = []
    scores: list[Floats] = []
    names = [f"r{run}" for run in range(runs)]
    for name in names:
        people, metrics = draw(rng, there.sentences)
        submissions = [one for (one,) in there.submissions(SYSTEMS, campaign=name)]
        there.judge(submissions, {"quality": 50 + 8 * people}, annotators, campaign=name)
        ids += submissions
        scores.append(metrics)
    stacked = np.concatenate(scores, axis=1)
    there.score(ids, {f"m{n}": stacked[n] for n in range(len(stacked))})
    there.db.human()
    return names


def equal_metrics(rng: np.random.Generator, items: int) -> tuple[Floats, Floats]:
    """Return people's ratings, and scores by metrics that are each as near to them."""
    quality = rng.normal(size=(SYSTEMS, items)) + rng.normal(0, 0.3, (SYSTEMS, 1))
    people = quality + rng.normal(0, 0.7, quality.shape)
    return people, quality + rng.normal(size=(METRICS, *quality.shape))


def metrics(sentences: int, runs: int, seed: int) -> Observed:
    """Observe comparisons and clusters of metrics that are equally good."""
    rates: dict[str, list[float]] = {
        "permutation": [],
        "bootstrap": [],
        "sentence": [],
        "system": [],
    }
    with world(sentences) as there:
        names = campaigns(there, runs, seed, equal_metrics)
        there.db.metrics(replicates=RESAMPLES)
        for name in names:
            run = there.database.connection
            permutation, bootstrap = run.execute(
                "SELECT avg((p_permutation < $1)::INT), avg((p_bootstrap < $1)::INT) "
                "FROM metric_pairs WHERE campaign_id = $2 AND level = 'sentence' "
                "AND statistic = 'accuracy'",
                [ALPHA, name],
            ).fetchone() or (None, None)
            rates["permutation"].append(np.nan if permutation is None else permutation)
            rates["bootstrap"].append(np.nan if bootstrap is None else bootstrap)
            for level, statistic in (("sentence", "accuracy"), ("system", "soft_accuracy")):
                (last,) = run.execute(
                    "SELECT max(cluster) FROM metric_leaderboard WHERE campaign_id = ? "
                    "AND level = ? AND statistic = ? AND part_kind = 'all'",
                    [name, level, statistic],
                ).fetchone() or (None,)
                rates[level].append(float((last or 1) > 1))
    return rates


def correlation(sentences: int, runs: int, seed: int) -> Observed:
    """Observe intervals of Pearson's r of systems, of metrics that are unfair to some."""
    truths: list[float] = []

    def draw(rng: np.random.Generator, items: int) -> tuple[Floats, Floats]:
        level, unfair = rng.normal(0, 0.3, (2, SYSTEMS, 1))
        truths.append(float(np.corrcoef(level[:, 0], (level + unfair)[:, 0])[0, 1]))
        quality = level + rng.normal(size=(SYSTEMS, items))
        noise = rng.normal(size=(2, *quality.shape))
        return quality + noise[0], (quality + unfair + noise[1])[np.newaxis]

    held = []
    with world(sentences) as there:
        names = campaigns(there, runs, seed, draw)
        there.db.metrics(replicates=RESAMPLES)
        for name, truth in zip(names, truths, strict=True):
            low, high = there.database.connection.execute(
                "SELECT low, high FROM metric_leaderboard WHERE campaign_id = ? AND metric = 'm0' "
                "AND level = 'system' AND statistic = 'pearson' AND part_kind = 'all'",
                [name],
            ).fetchone() or (None, None)
            held.append(np.nan if low is None or high is None else float(low <= truth <= high))
    return {"interval": held}


def favouring(of_document: float) -> Callable[[int, int, int], Observed]:
    """Return a simulation of two metrics where people are noisy: one is fair, one not to s0."""

    def draw(rng: np.random.Generator, items: int) -> tuple[Floats, Floats]:
        shape = (SYSTEMS, items)
        quality = ratings(rng, shape, of_document) + rng.normal(0, 0.5, (SYSTEMS, 1))
        people = quality + rng.normal(size=shape)
        fair = quality + rng.normal(0, 0.5, shape)
        unfair = fair.copy()
        unfair[0] += FAVOUR * fair.std()
        return people, np.stack([fair, unfair])

    def simulate(sentences: int, runs: int, seed: int) -> Observed:
        with world(sentences, documents=of_document > 0) as there:
            names = campaigns(there, runs, seed, draw)
            fair, unfair = (
                [
                    (row["campaign_id"], row["submission_id"].split("/")[1])
                    for row in there.db.examine(metric, replicates=RESAMPLES).systems.to_pylist()
                    if row["p"] is not None and row["p"] < ALPHA
                ]
                for metric in ("m0", "m1")
            )
        sentence = {name for name, _ in fair}
        return {
            "any": [float(name in sentence) for name in names],
            "favoured": [float((name, "s0") in unfair) for name in names],
        }

    return simulate


favours, favours_documents = favouring(0), favouring(0.5)
