"""Two submissions, lines of them and rankings: tests, intervals, gates, histories.

A run is a metric: metrics that a verdict does not rest on are tested alone, so that one comparison
of two submissions by many metrics is as many independent tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sr_tracker.queries.change.comparison.comparing import rankings
from sr_tracker.queries.change.comparison.model import Change, Settings
from sr_tracker.queries.change.comparison.stored import pair_tests
from tests.validity.simulation import Observed
from tests.validity.worlds import DOCUMENT, Floats, World, world

ALPHA, LEVEL = 0.05, 0.95
LINE = 20
"""Runs of a line."""
SYSTEMS = 8
MANY = 60
MARGIN = 0.2
PERFECT = (0.985, 0.97)
"""Shares of sentences in which two good systems are perfect."""
Draw = Callable[[np.random.Generator, tuple[int, int, int]], Floats]
"""From (metrics, submissions, sentences) to scores."""
Loaded = tuple[list[str], list[str]]
"""Submissions and metrics."""


def hard(rng: np.random.Generator, shape: tuple[int, int, int]) -> Floats:
    """Return normal scores of sentences that are as hard for one as for the other."""
    return rng.normal(size=shape) + rng.normal(size=(shape[0], 1, shape[2]))


def in_documents(rng: np.random.Generator, shape: tuple[int, int, int]) -> Floats:
    """Return scores that go together within documents: a sixth of the variance is theirs."""
    metrics, submissions, sentences = shape
    of_document = rng.normal(0, 0.45, (metrics, submissions, -(-sentences // DOCUMENT)))
    return rng.normal(size=shape) + np.repeat(of_document, DOCUMENT, axis=2)[..., :sentences]


def thrice(rng: np.random.Generator, shape: tuple[int, int, int]) -> Floats:
    """Return scores of texts that are three times in the test set, each time with one output."""
    metrics, submissions, sentences = shape
    scores = hard(rng, (metrics, submissions, -(-sentences // 3)))
    return np.repeat(scores, 3, axis=2)[..., :sentences]


def long_tailed(rng: np.random.Generator, shape: tuple[int, int, int]) -> Floats:
    """Return log-normal scores: a few are many times the mean, which is 1."""
    return rng.lognormal(-0.5, 1, shape)


def mostly_perfect(rng: np.random.Generator, shape: tuple[int, int, int]) -> Floats:
    """Return 1 but in a few sentences, 0 there."""
    return (rng.random(shape) < np.array(PERFECT)[:, np.newaxis]).astype(np.float64)


def behind(rng: np.random.Generator, shape: tuple[int, int, int]) -> Floats:
    """Return scores of which the last submission's are lower by just the margin."""
    scores = hard(rng, shape)
    scores[:, -1] -= MARGIN
    return scores


def loaded(there: World, draw: Draw, runs: int, seed: int, iterations: int = 2) -> Loaded:
    """Return submissions and metrics with random scores."""
    rng = np.random.default_rng(seed)
    (ids,) = there.submissions(1, iterations)
    metrics = [f"m{number:03}" for number in range(runs)]
    scores = draw(rng, (runs, iterations, there.sentences))
    there.score(ids, dict(zip(metrics, scores, strict=True)))
    return ids, metrics


def changes(there: World, of: Loaded, **settings: object) -> list[Change]:
    """Return how the last submission changed against the first, by each metric."""
    ids, metrics = of
    tests = pair_tests(there.database, ids[-1], ids[0], Settings(**settings))  # type: ignore[arg-type]
    return tests.changes(metrics)


def significant(tested: Sequence[Change]) -> list[float]:
    """Return whether changes are significant."""
    return [float(change.is_significant(ALPHA)) for change in tested]


def covered(tested: Sequence[Change], truth: float) -> list[float]:
    """Return whether intervals hold the truth; NaN where there is none."""
    return [
        np.nan if c.low is None or c.high is None else float(c.low <= truth <= c.high)
        for c in tested
    ]


def scores_covered(there: World, submission: str, truth: float) -> list[float]:
    """Return whether the stored interval of each score of a submission holds the truth."""
    there.db.significance({"pairs": False})
    rows = there.database.connection.execute(
        "SELECT low <= $1 AND $1 <= high FROM metric_intervals "
        "WHERE submission_id = $2 ORDER BY metric",
        [truth, submission],
    ).fetchall()
    return [np.nan if row is None else float(row) for (row,) in rows]


def alike(sentences: int, runs: int, seed: int) -> Observed:
    """Observe tests of two equal submissions."""
    with world(sentences) as there:
        of = loaded(there, hard, runs, seed)
        tested, again = changes(there, of), changes(there, of, seed=seed + 1)
        gate = there.db.gate(
            of[0][1], of[0][0], max_drop=dict.fromkeys(of[1], 0.0), significant=True
        )
    return {
        "randomisation": significant(tested),
        "interval": covered(tested, 0),
        "seed": np.not_equal(significant(tested), significant(again)).astype(float).tolist(),
        "gate": [float(verdict.verdict == "failed") for verdict in gate.verdicts],
    }


def trials(between: float, number: int) -> Callable[[int, int, int], Observed]:
    """Return the study of two equal submissions of so many trials that vary by so much."""

    def simulate(sentences: int, runs: int, seed: int) -> Observed:
        rng = np.random.default_rng(seed)
        with world(sentences) as there:
            (ids,) = there.submissions(1, 2)
            names = [name for of_one in there.trials(ids, number) for name in of_one]
            metrics = [f"m{one:03}" for one in range(runs)]
            own = np.repeat(hard(rng, (runs, 2, sentences)), number, axis=1)
            own = own + rng.normal(0, between, (runs, 2 * number, 1))
            scores = own + rng.normal(0, 1, own.shape)
            there.score(names, dict(zip(metrics, scores, strict=True)))
            tested = changes(there, (ids, metrics))
            held = scores_covered(there, ids[0], 0)
        return {"test": significant(tested), "interval": covered(tested, 0), "score": held}

    return simulate


trials_alike = trials(0, 3)
trials_varying = trials(0.3, 3)


def margin(sentences: int, runs: int, seed: int) -> Observed:
    """Observe gates where the true drop is the limit."""
    with world(sentences) as there:
        (base, new), metrics = loaded(there, behind, runs, seed)
        limits = dict.fromkeys(metrics, MARGIN)
        significant = there.db.gate(new, base, max_drop=limits, significant=True)
        ruled_out = there.db.gate(new, base, max_drop=limits, non_inferior=True)
    return {
        "beyond": [float(verdict.verdict == "failed") for verdict in significant.verdicts],
        "non_inferior": [float(verdict.verdict == "passed") for verdict in ruled_out.verdicts],
    }


def clustered(draw: Draw, **test_set: int | bool) -> Callable[[int, int, int], Observed]:
    """Return a simulation of tests and intervals where sentences go together."""

    def simulate(sentences: int, runs: int, seed: int) -> Observed:
        with world(sentences, **test_set) as there:  # type: ignore[arg-type]
            of = loaded(there, draw, runs, seed)
            tested = changes(there, of)
            scores = scores_covered(there, of[0][0], 0)
        return {
            "test": significant(tested),
            "interval": covered(tested, 0),
            "score": scores,
        }

    return simulate


documents = clustered(in_documents, documents=True)
few_documents = documents
repeated = clustered(thrice, repeated=3)


def skewed(sentences: int, runs: int, seed: int) -> Observed:
    """Observe intervals of scores with a long tail."""
    with world(sentences) as there:
        ids, _ = loaded(there, long_tailed, runs, seed)
        return {"score": scores_covered(there, ids[0], 1)}


few_skewed = skewed


def perfect(sentences: int, runs: int, seed: int) -> Observed:
    """Observe intervals where hardly a sentence is not perfect."""
    with world(sentences) as there:
        of = loaded(there, mostly_perfect, runs, seed)
        tested = changes(there, of)
        scores = scores_covered(there, of[0][0], PERFECT[0])
    return {"score": scores, "interval": covered(tested, PERFECT[1] - PERFECT[0])}


def line(sentences: int, runs: int, seed: int) -> Observed:
    """Observe histories and gates of a system that never changes."""
    with world(sentences) as there:
        _, metrics = loaded(there, hard, runs, seed, LINE)
        marks, controlled = (
            np.array([[run.is_significant(name) for name in metrics] for run in of.runs[1:]])
            for control in ("step", "line")
            for of in there.db.history("s0", measures=metrics, control=control).lines
        )
        against: dict[str, list[float]] = {"previous": [], "best": []}
        for metric in metrics:
            for base, failed in (
                ("previous", against["previous"]),
                (f"best:{metric}", against["best"]),
            ):
                gate = there.db.gate(
                    "s0@latest", f"s0@{base}", max_drop={metric: 0}, significant=True
                )
                failed.append(float(not gate.passed))
    return {
        "marked": marks.any(axis=0).astype(float).tolist(),
        "step": marks.mean(axis=0).tolist(),
        "controlled": controlled.any(axis=0).astype(float).tolist(),
        "previous": against["previous"],
        "best": against["best"],
    }


def ranked(sentences: int, runs: int, seed: int) -> Observed:
    """Observe rankings of equal systems."""
    with world(sentences) as there:
        ids, metrics = loaded(there, hard, runs, seed, SYSTEMS)
        drawn = rankings(there.database, ids, Settings(metrics=metrics)).rankings
    last = [max(place.cluster or 1 for place in ranking.ranked) for ranking in drawn]
    return {"clusters": [float(cluster > 1) for cluster in last]}


def many(sentences: int, runs: int, seed: int) -> Observed:
    """Observe verdicts over many measures, all of which changed as clearly as can be."""

    def clear(rng: np.random.Generator, shape: tuple[int, int, int]) -> Floats:
        scores = hard(rng, shape)
        scores[:, -1] += 5
        return scores

    seen = []
    for run in range(runs):
        with world(sentences) as there:
            of = loaded(there, clear, MANY, seed + run)
            tested = changes(there, of, metrics=of[1])
            seen.append(float(np.mean(significant(tested))))
    return {"clear": seen}
