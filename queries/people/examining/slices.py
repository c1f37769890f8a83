"""Agreement of one metric with people by parts of the outputs: by system, domain, length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sr_tracker.queries.functions import metric_tests, pair_agreement
from sr_tracker.queries.functions.pair_agreement import ITEM, SYSTEM
from sr_tracker.queries.people.examining.model import Scored, ratio, scored_by
from sr_tracker.queries.people.judged_matrices import of_part
from sr_tracker.queries.people.metric_statistics import (
    ACCURACY,
    FEWEST_FOR_R,
    KENDALL,
    OF_SENTENCES,
    PEARSON,
    by_item,
    interval,
    number,
    of_sentences,
)

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Booleans, Floats

Parts = Mapping[str, Mapping[str, Sequence[int]]]
"""Sentence numbers by kind of part and part."""


def agreement_by_part(
    scored: Scored, parts: Parts, languages: Mapping[str, str | None], seed: int
) -> Iterator[dict[str, Any]]:
    """Yield acc*_eq, tau-b and r of outputs, of all items, of parts of them, and of each system.

    Of items the statistics are means over items, whose outputs are compared (``grouping`` item);
    of a system they are of its outputs to different items.
    """
    judged = scored.judged
    place = {
        **scored.place,
        "language": languages.get(judged.treebank_id),
        "metric": judged.metrics[0],
    }
    for row in _of_items(scored, seed):
        yield {**place, "part_kind": "all", "part": "all", **row}
    for kind, by_part in parts.items():
        for part, sentence_nos in by_part.items():
            narrowed = of_part(judged, sentence_nos)
            if len(narrowed.systems):
                draws = metric_tests.draws_of_items(len(narrowed.items), len(scored.draws), seed)
                for row in _of_items(scored_by(narrowed, judged.metrics[0], draws), seed):
                    yield {**place, "part_kind": kind, "part": part, **row}
    for system, row in _of_systems(scored, seed):
        yield {**place, "part_kind": "system", "part": system, **row}


def _of_items(scored: Scored, seed: int) -> Iterator[dict[str, Any]]:
    judged = scored.judged
    found = {each.statistic: each for each in of_sentences(judged, ITEM, seed)}
    epsilon = next(iter(found[ACCURACY].epsilons))
    values = by_item(judged, [epsilon or 0.0], seed)
    for name in OF_SENTENCES:
        replicates = metric_tests.resampled_means(values[name], scored.draws)[0]
        yield _row(ITEM, name, float(found[name].values[0]), replicates, scored.both)


def _of_systems(scored: Scored, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    import numpy as np

    judged = scored.judged
    people = np.where(scored.both, judged.people, np.nan)
    metric = np.where(scored.both, judged.scores[0], np.nan)
    replicates = _resampled_r(scored)
    for at, system in enumerate(judged.systems):
        told, said = people[at : at + 1], metric[at : at + 1]
        pairs = pair_agreement.pairs_of_outputs(told, SYSTEM, seed)
        calibrated = pair_agreement.calibrated_accuracy(told, said, pairs)
        tau = pair_agreement.tau_by_group(told, said, pairs)
        drawn = {PEARSON: replicates[:, at]}
        if calibrated and not pairs.drawn:
            drawn |= _resampled_orders(told[0], said[0], calibrated.epsilon, scored.draws)
        values = {
            ACCURACY: calibrated.accuracy if calibrated else np.nan,
            KENDALL: tau[0] if len(tau) else np.nan,
            PEARSON: pair_agreement.pearson_by_group(told, said, SYSTEM)[0],
        }
        for name in OF_SENTENCES:
            both = scored.both[at : at + 1]
            yield system, _row(SYSTEM, name, float(values[name]), drawn.get(name), both)


def _resampled_r(scored: Scored) -> Floats:
    """Return r of each system's outputs (column) in each resample of the items (row)."""
    people, metric, both = scored.people, scored.metric, scored.both
    count, of_people, of_metric, products, squares, other_squares = (
        scored.draws @ each.T
        for each in (both, people, metric, people * metric, people**2, metric**2)
    )
    spread = (count * squares - of_people**2) * (count * other_squares - of_metric**2)
    return ratio(count * products - of_people * of_metric, spread.clip(0) ** 0.5)


def _resampled_orders(
    people: Floats, metric: Floats, epsilon: float, draws: Floats
) -> dict[str, Floats]:
    """Return acc*_eq and tau-b of one system's outputs in each resample of the items.

    They are sums over pairs, weighted by how often both items were drawn; an item that was drawn
    twice is no pair with itself. ``epsilon`` stays what it is for all items.
    """
    import numpy as np

    both = np.isfinite(people)
    told, said = people[both], metric[both]
    drawn = draws[:, both].astype(np.float32)
    apart = np.subtract.outer(said, said)
    signs, other_signs = np.sign(np.subtract.outer(told, told)), np.sign(apart)
    right = np.where(np.abs(apart) <= epsilon, 0, other_signs) == signs
    np.fill_diagonal(right, val=False)

    def over_pairs(counted: Floats | Booleans) -> Floats:
        sums: Floats = ((drawn @ counted.astype(np.float32)) * drawn).sum(axis=1, dtype=np.float64)
        return sums

    concordance = over_pairs(signs * other_signs)
    untied = over_pairs(signs != 0) * over_pairs(other_signs != 0)
    return {
        ACCURACY: ratio(over_pairs(right), over_pairs(~np.eye(len(told), dtype=np.bool_))),
        KENDALL: ratio(concordance, untied**0.5),
    }


def _row(
    grouping: str, statistic: str, value: float, replicates: Floats | None, both: Any
) -> dict[str, Any]:
    found = number(value)
    undefined = {"low": None, "high": None}
    few = both.sum() < FEWEST_FOR_R
    return {
        "grouping": grouping,
        "statistic": statistic,
        "value": found,
        **(undefined if found is None or replicates is None else interval(replicates)),
        "items": int(both.any(axis=0).sum()),
        "outputs": int(both.sum()),
        "undefined_reason": None
        if found is not None
        else f"fewer than {FEWEST_FOR_R} judged outputs have a score"
        if few
        else "people's scores, or the metric's, do not vary",
    }
