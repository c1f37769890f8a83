"""Which sentences to judge first: by what metrics and trees say of them, or at random."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.statements import read_table
from ...functions.statistics import Floats, Integers
from ...metrics.registry import direction
from ...people.human_scores import check_choices

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
    kept = np.array(columns, dtype=np.int64) >= 0
    scores[metric[kept], np.array(lines, np.int64)[kept], np.array(columns, np.int64)[kept]] = rows[
        "score"
    ].to_numpy()[kept]
    found = []
    for name, values in zip(names, scores, strict=True):
        known = values[np.isfinite(values)]
        if len(known) and known.std() > 0:
            found.append(direction(str(name)) * (values - known.mean()) / known.std())
    if not found:
        raise InputError(
            "no metric's scores of these outputs vary",
            hint="'tracker score' computes them; or choose at random",
        )
    return np.array(found)


def _by_coverage(database: Database, treebank_id: str, sentences: Integers) -> list[int]:
    """Return the sentences in the order in which they cover most; those without trees last."""
    rows = read_table(database, "planned_features", treebank=treebank_id)
    place = {number: at for at, number in enumerate(sentences.tolist())}
    at = np.array([place.get(each, -1) for each in rows["sentence_no"].to_pylist()], np.int64)
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
