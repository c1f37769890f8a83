"""Which subtree patterns became more or less suspicious."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

import numpy as np
import pyarrow as pa

from ....schema.statements import read_rows
from ....schema.temporary import lent
from ...functions.statistics import Floats, holm_of_exact
from ...metrics.registry import direction
from ...resampling import SENTENCE
from ..significance import intervals
from .model import PatternChange, Settings
from .sides import Pairing, with_sentence_metric

TEST = "exact McNemar test over the sentences with the pattern"
NEAREST = 3


def pattern_changes(pairing: Pairing, settings: Settings) -> list[PatternChange]:
    """Return how every pattern that was mined in base goes with failure now.

    Both submissions are of one treebank. Failed are the sentences whose score by the settings'
    sentence metric is at most the threshold of base's current mining, so that both are measured
    by one yardstick; new and base are suspicion scores (Shimorina et al. 2021, section 3.4). The
    p-value is that of the exact McNemar test: are as many sentences new among the failed as are no
    longer among them? Where sentences belong together (see clusters: a document, or equal texts) it
    is that of the exact sign-flip test over documents or texts. It is corrected over the patterns
    with the same labels that could be significant, see holm_of_exact. The list is empty where base
    is not mined by this metric; it comes by labels, small patterns first.
    """
    metric = with_sentence_metric(pairing.database, settings, pairing.ids).sentence_metric
    together = pairing.clusters(settings.resampling_unit)
    with lent(pairing.database, sentence_cluster=clusters_of(pairing, settings)):
        rows = read_rows(
            pairing.database,
            "pattern_failures",
            **pairing.parameters,
            metric=metric,
            direction=direction(metric),
        )
    test = TEST
    if together.unit != SENTENCE:
        test = f"{intervals.SIGN_FLIP.format(unit=together.unit)} with the pattern"
    changes: list[PatternChange] = []
    for labels, alike in groupby(rows, itemgetter("labels")):
        some = [*alike]
        p_values, smallest = exact_p_values([row["moved"] or () for row in some])
        p_holms, family_size = holm_of_exact(p_values, smallest, settings.alpha)
        changes += [
            PatternChange(
                measure=f"suspicion[{row['pattern']}]",
                kind="pattern",
                new=row["new"],
                base=row["base"],
                difference=row["new"] - row["base"],
                p_value=p_value,
                p_holm=p_holm,
                family=f"pattern of {labels}",
                family_size=family_size,
                n=row["sentences"],
                better="lower",
                test=test,
                labels=labels,
                pattern=row["pattern"],
                sentences=row["sentences"],
                failed_new=row["failed_new"],
                failed_base=row["failed_base"],
            )
            for row, p_value, p_holm in zip(some, p_values.tolist(), p_holms.tolist(), strict=True)
        ]
    return changes


def clusters_of(pairing: Pairing, settings: Settings) -> pa.Table:
    """Return sentence_no and cluster of the sentences that are compared."""
    together = pairing.clusters(settings.resampling_unit)
    return pa.table({"sentence_no": pairing.sentences[0], "cluster": together.keys})


def exact_p_values(moved: Sequence[Sequence[int]]) -> tuple[Floats, Floats]:
    """Return the p-values of patterns or n-grams, and the least that there can be.

    ``moved`` are, for each of them, the differences that are not 0: how many more of the sentences
    that belong together fail, or have it, than before. Where one is larger than 1 the test is that
    of sign flips, which else is McNemar's.
    """
    differing = np.array([len(of_pattern) for of_pattern in moved], np.int64)
    numbers = np.zeros((max(differing, default=0), len(moved)), np.int64)
    numbers.T[np.arange(len(numbers)) < differing[:, np.newaxis]] = np.concatenate(moved)
    p_values = intervals.mcnemar_p_values((numbers > 0).sum(axis=0), (numbers < 0).sum(axis=0))
    larger = (np.abs(numbers) > 1).any(axis=0)
    p_values[larger] = intervals.sign_flip_p_values(numbers[:, larger])
    return p_values, intervals.smallest_p_values(differing)


def ranked_patterns(
    changes: Sequence[PatternChange], alpha: float, *, worse: bool
) -> list[PatternChange]:
    """Return the patterns that became more suspicious (``worse``) or less, the clearest first.

    Those whose sentences fail more often and whose suspicion score rises as well, or the reverse;
    significant ones first, by how much the share of them that fails changed, then the others by
    their p-values. Of patterns in as many sentences, as
    many of which fail, the shortest stands for all: mostly they are one pattern told in two ways.
    Where none is significant, at most three are told, of those that would be but for correction.
    """
    sign = 1 if worse else -1
    moved = [
        change
        for change in changes
        if sign * (change.failed_new - change.failed_base) > 0
        and sign * (change.difference or 0) > 0
    ]
    moved.sort(key=partial(_clarity, alpha))
    if not any(change.is_significant(alpha) for change in moved):
        moved = [
            change for change in moved if change.p_value is not None and change.p_value < alpha
        ][:NEAREST]
    distinct: dict[tuple[int, int, int], PatternChange] = {}
    for change in moved:
        distinct.setdefault((change.sentences, change.failed_new, change.failed_base), change)
    return [*distinct.values()]


def _clarity(alpha: float, change: PatternChange) -> tuple[float | str, ...]:
    significant = change.is_significant(alpha)
    p_value = 0.0 if significant or change.p_value is None else change.p_value
    share = abs(change.failed_new - change.failed_base) / change.sentences
    return (not significant, p_value, -share, len(change.pattern), change.labels, change.pattern)
