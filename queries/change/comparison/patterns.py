"""Which subtree patterns became more or less suspicious, which n-grams more or less frequent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from math import floor, log2
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from ....schema.statements import Row, read_rows
from ....schema.temporary import lent
from ...functions.statistics import Floats, holm_of_exact
from ...metrics.registry import direction
from ...resampling import SENTENCE
from ..significance import intervals
from .model import NgramChange, PatternChange, Settings
from .sides import Pairing, with_sentence_metric

TEST = "exact McNemar test over the sentences with the pattern"
NGRAM_TEST = "exact McNemar test over sentences"
FAMILIES = {True: "n-gram of references", False: "n-gram beyond references"}
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
    base = pairing.base.submission_id
    failing = {"base": base, "metric": metric, "direction": direction(metric)}
    with lent(pairing.database, scored_pair=pairing.sentence_scores(metric)):
        rows, unit = _read(pairing, settings, "pattern_failures", **failing)
    test = TEST
    if unit != SENTENCE:
        test = f"{intervals.SIGN_FLIP.format(unit=unit)} with the pattern"
    return [
        PatternChange(
            measure=f"suspicion[{row['pattern']}]",
            kind="pattern",
            new=row["new"],
            base=row["base"],
            difference=row["new"] - row["base"],
            family=f"pattern of {labels}",
            n=row["sentences"],
            better="lower",
            test=test,
            labels=labels,
            pattern=row["pattern"],
            sentences=row["sentences"],
            failed_new=row["failed_new"],
            failed_base=row["failed_base"],
            **tested,
        )
        for labels, alike in groupby(rows, itemgetter("labels"))
        for row, tested in _tested([*alike], settings.alpha)
    ]


def ngram_changes(pairing: Pairing, settings: Settings) -> list[NgramChange]:
    """Return the n-grams of one to four words that one of two submissions has more often.

    Both submissions are of one test set. An n-gram of a sentence is one of its references or not;
    counted are the sentences in which new alone, and base alone, has it. The p-value is that of the
    exact McNemar test; where sentences belong together (see clusters) that of the exact sign-flip
    test over documents or texts. N-grams of references, and those beyond them, are a family each,
    corrected over those that could be significant, see holm_of_exact. Others are left out: they
    are in fewer sentences (documents, texts) that differ than any test could tell.
    """
    fewest = floor(1 - log2(settings.alpha)) + 1
    rows, unit = _read(pairing, settings, "compared_ngrams", **pairing.parameters, fewest=fewest)
    test = NGRAM_TEST if unit == SENTENCE else intervals.SIGN_FLIP.format(unit=unit)
    return [
        NgramChange(
            measure=f"ngram[{row['ngram']}]",
            kind="n-gram",
            new=row["only_new"],
            base=row["only_base"],
            difference=row["only_new"] - row["only_base"],
            family=FAMILIES[in_references],
            n=row["only_new"] + row["only_base"],
            better="higher" if in_references else "lower",
            test=test,
            ngram=row["ngram"],
            in_references=in_references,
            **tested,
        )
        for in_references, alike in groupby(rows, itemgetter("in_reference"))
        for row, tested in _tested([*alike], settings.alpha)
    ]


def _read(
    pairing: Pairing, settings: Settings, name: str, **parameters: Any
) -> tuple[list[Row], str]:
    """Return what a statement reads, which is lent the clusters of sentences, and their unit."""
    together = pairing.clusters(settings.resampling_unit)
    clusters = pa.table({"sentence_no": pairing.sentences[0], "cluster": together.keys})
    with lent(pairing.database, sentence_cluster=clusters):
        return read_rows(pairing.database, name, **parameters), together.unit


def _tested(rows: Sequence[Row], alpha: float) -> Iterator[tuple[Row, dict[str, Any]]]:
    """Yield the rows of a family, each with what its test says by the names of a change."""
    p_values, smallest = exact_p_values([row["moved"] or () for row in rows])
    p_holms, size = holm_of_exact(p_values, smallest, alpha)
    for row, p_value, p_holm in zip(rows, p_values.tolist(), p_holms.tolist(), strict=True):
        yield row, {"p_value": p_value, "p_holm": p_holm, "family_size": size}


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


def ranked_ngrams(
    changes: Sequence[NgramChange], alpha: float, *, in_references: bool, more: bool
) -> list[NgramChange]:
    """Return the n-grams that new has significantly more often (``more``) or less, clearest first.

    They are those of references or those beyond. Of n-grams that contain each other and changed in
    as many sentences the longest stands for all: mostly they are one, told in parts.
    """
    moved = [
        change
        for change in changes
        if change.in_references == in_references
        and change.is_significant(alpha)
        and np.sign(change.difference or 0) == (1 if more else -1)
    ]
    moved.sort(key=lambda change: (change.p_holm, -change.n, -len(change.ngram), change.ngram))
    shown: list[NgramChange] = []
    for change in sorted(moved, key=lambda change: -len(change.ngram)):
        within = f" {change.ngram} "
        if not any(
            within in f" {other.ngram} " and (other.new, other.base) == (change.new, change.base)
            for other in shown
        ):
            shown.append(change)
    return [change for change in moved if change in shown]
