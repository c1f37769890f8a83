"""Reading what changed between versions of a test set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from sr_tracker.queries.change.drift.alignment import aligned_words
from sr_tracker.queries.change.drift.effects import read_effects
from sr_tracker.queries.change.drift.model import Counts, Drift, Step
from sr_tracker.queries.change.drift.sentences import pair_versions
from sr_tracker.queries.metrics import metrics as known_metrics
from sr_tracker.queries.resampling import check_resampling
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.names import check_names
from sr_tracker.schema.progress import Progress, silent
from sr_tracker.schema.statements import read_rows, read_table, statement
from sr_tracker.schema.temporary import hold, temporary


def read_drift(
    database: Database,
    versions: Sequence[str],
    *,
    metrics: Sequence[str] | None = None,
    base: str | None = None,
    new: str | None = None,
    replicates: int = 1000,
    seed: int = 12345,
    level: float = 0.95,
    progress: Progress = silent,
) -> Drift:
    """Return what changed from each version of a test set to the next, and in scores by that.

    ``versions`` are ids of treebanks, oldest first. Scores are followed from the first to the
    last: of each run whose outputs are loaded for both (``tracker carry``) or, where ``base`` and
    ``new`` name two of them, from ``base`` by the first version to ``new`` by the last. ``metrics``
    are those of interest, None for the usual ones; ``dea[nsubj]`` is edge accuracy of a relation,
    ``dea[*]`` of all.

    Raises InputError for fewer than two versions, for versions that share no sentence, and for a
    run that is not there for both; UnknownNameError for a metric or relation that does not exist.
    """
    check_resampling(replicates, seed, level)
    if len(versions) < 2:
        raise InputError("one version has not changed", hint="name two or more, the oldest first")
    if (base is None) != (new is None):
        raise InputError(
            "a change is from one run to another", hint="name both the older and the newer run"
        )
    relations = re.compile(r"dea\[.+\]")
    check_names(
        "metric", [name for name in metrics or () if not relations.fullmatch(name)], known_metrics()
    )
    steps = []
    for done, (one, other) in enumerate(pairwise(versions)):
        progress(f"{one} → {other}", done, len(versions))
        with temporary(database):
            steps.append(_step(database, one, other))
    progress("scores", len(versions) - 1, len(versions))
    with temporary(database):
        pair_versions(database, versions[0], versions[-1])
        effects, notes = read_effects(
            database,
            versions[0],
            versions[-1],
            metrics=metrics,
            runs=(base, new) if base and new else None,
            replicates=replicates,
            seed=seed,
            level=level,
        )
    progress("compared", len(versions), len(versions))
    said = [note for step in steps for note in step.notes]
    return Drift(versions, steps, effects, replicates, seed, level, [*said, *notes])


def _step(database: Database, old: str, new: str) -> Step:
    notes = pair_versions(database, old, new)
    both = {"old": old, "new": new}
    other = read_table(database, "drift_other_words", **both).to_pydict()
    aligned = aligned_words(other["new_no"], other["old_forms"], other["new_forms"])
    hold(database, "drift_alignment", aligned)
    database.connection.execute(statement("drift_words"), both)
    database.connection.execute(statement("drift_word_changes"))
    (counts,) = read_rows(database, "drift_counts")
    return Step(old, new, Counts(**counts), read_table(database, "drift_changes"), notes)
