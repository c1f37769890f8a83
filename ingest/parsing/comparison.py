"""Models beside each other on clean and noisy treebanks, as in Figure 4 of Pratapa et al. 2021."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from sr_tracker.ingest.parsing.evaluation import METRICS, align_words, evaluate
from sr_tracker.ingest.parsing.gold import altered_words, read_gold, words_of
from sr_tracker.ingest.parsing.prediction import predict
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import bare_name
from sr_tracker.schema.progress import Progress, silent

ALL, ALTERED_ONLY = "all", "altered"
SCHEMA = pa.schema(
    [
        ("treebank", pa.string()),
        ("words", pa.string()),
        ("model", pa.string()),
        ("n", pa.int64()),
        *((metric, pa.float64()) for metric in METRICS),
    ]
)


def compare_models(
    treebanks: Sequence[Path],
    models: Sequence[Path],
    *,
    tokenise: bool = False,
    altered_only: bool = False,
    progress: Progress = silent,
) -> pa.Table:
    """Return the accuracy of each model on each gold treebank: rows of SCHEMA.

    A treebank has a row for all its words and, where `tracker noise` has marked some, one for the
    altered words. ``n`` is the number of gold words; metrics are F1 from 0 to 1 (the accuracy,
    where the gold words are given), NULL where the model has no such component. Of altered words
    it is the share of them that is right.

    Raises InputError for files that are no treebanks or models, and where no word is altered
    though ``altered_only`` asks for such.
    """
    stems = [model.stem for model in models]
    names = stems if len(set(stems)) == len(stems) else [str(model) for model in models]
    rows: list[dict[str, object]] = []
    for file in treebanks:
        gold = read_gold(file)
        altered = altered_words(gold)
        groups: dict[str, np.ndarray | None] = {} if altered_only else {ALL: None}
        if altered.any():
            groups[ALTERED_ONLY] = altered
        results = []
        for name, model in zip(names, models, strict=True):
            system = predict(gold, model, tokenise=tokenise, progress=progress)
            aligned = align_words(gold, system) if tokenise else np.arange(len(altered))
            results.append((name, words_of(system), aligned))
        truth = words_of(gold)
        for group, chosen in groups.items():
            for name, words, aligned in results:
                found = evaluate(truth, words, aligned, chosen)
                scores = (found.score(metric) for metric in METRICS)
                values = (bare_name(file), group, name, found.gold_words, *scores)
                rows.append(dict(zip(SCHEMA.names, values, strict=True)))
    if not rows:
        raise InputError(
            "no word of the treebanks is marked as altered",
            hint="give a file that 'tracker noise' has written",
        )
    return pa.Table.from_pylist(rows, schema=SCHEMA)
