"""How metrics changed on simple and on complex sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from ....schema.statements import read_tuples
from .model import BucketChange, Settings
from .paired import sample_changes
from .samples import OTHER_FORMULA, read_samples, same_scores
from .sides import Pairing

LENGTH, DEPTH, PROJECTIVITY = "length", "depth", "projectivity"
OVERLAP = "training overlap"
_SORTS = {
    LENGTH: ("short", "medium", "long"),
    DEPTH: ("shallow", "middling", "deep"),
    PROJECTIVITY: ("projective", "non-projective"),
    OVERLAP: ("in training files", "not in training files"),
}
_UNITS = {LENGTH: ("word", "words"), DEPTH: ("edge", "edges")}


@dataclass(frozen=True)
class _Bucket:
    feature: str
    part: int
    """From 1, the simplest."""
    low: int | None
    """The least there is in the bucket: words, or edges from the root down."""
    high: int | None
    sentence_nos: Sequence[int]


def bucket_changes(
    pairing: Pairing, metrics: Sequence[str], settings: Settings
) -> list[BucketChange]:
    """Return how metrics changed on short and long, shallow and deep, projective and other ones.

    A third of new's treebank each is short, medium and long, counted without punctuation; as many
    as there are where lengths repeat; depth likewise. Where training files were looked through
    ('tracker task overlap'), what they hold and the rest are two more. Scores are of the whole
    bucket as if it were the test set, tested as the metrics are; p-values are corrected over a
    metric's buckets (Holm). Where the treebanks differ, the sentences are those with the same
    reference text.
    """
    rows = read_tuples(pairing.database, "compared_buckets", treebank=pairing.new.treebank_id)
    buckets = [_Bucket(*row) for row in rows]
    if not buckets:
        return []
    samples = [
        sample
        if sample.statistics is None
        or sample.stored is None
        or same_scores(pairing.database, sample.formula, sample.statistics, sample.stored)
        else sample.without(OTHER_FORMULA)
        for sample in read_samples(pairing, metrics, settings)
    ]
    cut = [
        sample.of(np.isin(sample.sentence_nos, bucket.sentence_nos))
        if sample.sentence_nos is not None
        else replace(sample, stored=None)
        for sample in samples
        for bucket in buckets
    ]
    metrics_of = [sample.measure for sample in cut]
    clusters = pairing.clusters(settings.resampling_unit)
    changes = sample_changes(pairing.database, cut, settings, metrics_of, clusters)
    by_metric = [
        changes[start : start + len(buckets)] for start in range(0, len(changes), len(buckets))
    ]
    return [
        BucketChange(
            **asdict(replace(of_metric[place], family=f"sorts of sentences by {metric}")),
            feature=bucket.feature,
            bucket=bucket_name(bucket.feature, bucket.part, bucket.low, bucket.high),
        )
        for place, bucket in enumerate(buckets)
        for metric, of_metric in zip(metrics, by_metric, strict=True)
    ]


def bucket_name(feature: str, part: int, low: int | None, high: int | None) -> str:
    """Return what is in a bucket: long (21 words or more).

    ``part`` counts from 1, the simplest; ``low`` and ``high`` are the least and the most there is
    in it: words, or edges from the root down.
    """
    sort = _SORTS[feature][part - 1]
    if low is None or high is None:
        return sort
    one, several = _UNITS[feature]
    unit = one if high == 1 else several
    if part == 1:
        return f"{sort} (up to {high} {unit})"
    if part == len(_SORTS[feature]):
        return f"{sort} ({low} {unit} or more)"
    span = f"{low} to {high}" if low < high else f"{low}"
    return f"{sort} ({span} {several})"
