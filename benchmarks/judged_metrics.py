"""Metrics against people at the size of a metrics task: seconds of processor and of waiting.

``python benchmarks/judged_metrics.py he-en`` evaluates made-up scores of as many systems,
items and metrics as that pair of WMT 2023 had.
"""

from __future__ import annotations

import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as the command has it

import numpy as np

from sr_tracker.queries.clusters import SENTENCE, Clusters
from sr_tracker.queries.examination.judged_matrices import Judged
from sr_tracker.queries.examination.metric_evaluation import MetricSettings, _evaluated

SIZES = {"he-en": (13, 1910, 45), "zh-en": (15, 1177, 71)}
"""Systems, judged items and metrics."""


def judged_like(systems: int, items: int, metrics: int, seed: int = 0) -> Judged:
    """Return made-up judgements and scores: people's have many ties, as those by MQM do.

    Every fourth metric gives whole numbers, every tenth lacks some outputs, the last one a system.
    """
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, 0.5, (systems, 1)) + rng.normal(0, 1, items)
    quality = quality + rng.normal(0, 1, (systems, items))
    people = np.minimum(0, np.round(2 * quality + rng.normal(0, 1, quality.shape)))
    scores = np.stack(
        [quality + rng.normal(0, noise, quality.shape) for noise in np.linspace(0.5, 4, metrics)]
    )
    scores[::4] = np.round(2 * scores[::4])
    scores[::10][rng.random(scores[::10].shape) < 0.01] = np.nan
    scores[-1, -1] = np.nan
    people[rng.random(people.shape) < 0.002] = np.nan
    defined = np.isfinite(scores)
    means = np.where(defined, scores, 0).sum(axis=2) / np.where(
        defined.any(axis=2), defined.sum(axis=2), np.nan
    )
    return Judged(
        *("C", "set", "mqm"),
        systems=[f"S{at:02}" for at in range(systems)],
        items=np.arange(items),
        people=people,
        metrics=[f"m{at:02}" for at in range(metrics)],
        scores=scores,
        system_scores=means,
    )


def main() -> None:
    """Print how long the evaluation of a pair takes."""
    for pair in sys.argv[1:] or SIZES:
        judged = judged_like(*SIZES[pair])
        waited, computed = time.perf_counter(), time.process_time()
        alone = Clusters(SENTENCE, judged.items, judged.items)
        rows, compared = _evaluated(judged, MetricSettings(), alone)
        waited, computed = time.perf_counter() - waited, time.process_time() - computed
        sys.stdout.write(
            f"{pair}: {len(rows)} rows, {len(compared)} comparisons: "
            f"{waited:.1f} s, {computed:.1f} s of processor\n"
        )


if __name__ == "__main__":
    main()
