"""Test sets: what changed between versions, challenge items, overlap with training files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from ...queries.tasks import OverlapSettings
from ...schema.errors import UnknownNameError
from ...schema.iterations import resolve_submission
from ...schema.parameters import (
    LEVEL,
    REPLICATES,
    SEED,
    Level,
    Measure,
    Option,
    Replicates,
    Seed,
    Submission,
    Treebank,
)
from ...schema.progress import Progress, silent
from .given import Fields, Filters, settings_of

if TYPE_CHECKING:
    from ...queries.tasks.challenges import Challenges
    from ...queries.tasks.drift import Drift
    from ...queries.tasks.overlap import Overlap
    from .tracker import Tracker


def drift(
    tracker: Tracker,
    *versions: Annotated[Treebank, Option(required=True)],
    metrics: Annotated[
        Sequence[Measure] | None,
        Option(
            "Only this; may be repeated. dea[nsubj] is a relation, dea[*] all of them.",
            flag="--metric",
        ),
    ] = None,
    base: Annotated[
        Submission | None, Option("The older run, of the first or the last version.")
    ] = None,
    new: Annotated[
        Submission | None, Option("The newer run, of the first or the last version.")
    ] = None,
    replicates: Annotated[Replicates, Option("Number of resampled test sets.")] = REPLICATES,
    seed: Seed = SEED,
    level: Level = LEVEL,
    progress: Progress = silent,
) -> Drift:
    """Tell what changed between VERSIONS of a test set, the oldest first, and in scores by that.

    Sentences belong together by sent_id, else by text; words by their forms. Scores are followed
    from the first version to the last, of every run that is loaded for both ('tracker ingest
    carry'): a change is what sentences bring that one version lacks, what the references bring, and
    what the system brings. With --base and --new it is the change from one run to another.

    Returns a Drift, see ``queries.tasks.drift``.

    >>> later, _ = db.ingest_treebank("revised/en_sample-ud-test.conllu", version="1.1")
    >>> db.drift("en_sample-ud1.0-test", later).steps[0].counts.trees_changed
    3
    """
    from ...queries.tasks.drift.reading import read_drift
    from ...schema.names import resolve_treebank

    database = tracker.database
    treebanks = [resolve_treebank(database, name) for name in versions]
    ends = (treebanks[0], treebanks[-1]) if treebanks else ()
    runs = [_of_versions(tracker, name, ends) for name in (base, new)]
    return read_drift(
        database,
        treebanks,
        metrics=metrics,
        base=runs[0],
        new=runs[1],
        replicates=replicates,
        seed=seed,
        level=level,
        progress=progress,
    )


def _of_versions(tracker: Tracker, name: str | None, versions: Sequence[str]) -> str | None:
    """Return the submission that a name means by one of the versions, the first that has it."""
    if name is None:
        return None
    for version in versions[:-1]:
        with suppress(UnknownNameError):
            return resolve_submission(tracker.database, name, treebank=version)
    return resolve_submission(tracker.database, name, treebank=versions[-1] if versions else None)


def challenge(tracker: Tracker, **filters: Unpack[Filters]) -> Challenges:
    """Tell which items of challenge sets outputs pass, by phenomenon, from run to run.

    Intervals are Wilson's; changes since the run before are tested by McNemar's exact test,
    corrected over phenomena (Holm). Of contrastive sets it is also told how often each metric
    prefers the good output.

    Returns Challenges, see ``queries.tasks.challenges``.

    >>> items = db.ingest_challenge("items.csv", treebank="en_sample-ud1.0-test")
    >>> db.challenge(system="ngram").rates.num_rows
    6
    """
    from ...queries.tasks.challenges import read_challenges

    return read_challenges(tracker.database, tracker.select(**filters))


def overlap(
    tracker: Tracker,
    treebank: Treebank,
    *training: Path | str,
    name: Annotated[
        str | None, Option("What the training files are called; else their names.")
    ] = None,
    metrics: Annotated[
        Sequence[Measure] | None, Option("Only this; may be repeated.", flag="--metric")
    ] = None,
    replicates: Annotated[Replicates, Option("Number of resampled test sets.")] = REPLICATES,
    seed: Seed = SEED,
    settings: OverlapSettings | Fields | None = None,
    progress: Progress = silent,
    **fields: Any,
) -> Overlap:
    """Tell which sentences of a TREEBANK the TRAINING files hold, and what systems score on them.

    References, and sources where there are any, are looked for word by word, by n-grams of words
    and by the most similar line. Files have a sentence a line, or are CoNLL-U; .gz and .xz are
    unpacked. What is found is stored; without files, what was found last is told again.

    Returns an Overlap. ``fields`` are those of ``settings``, see
    ``queries.tasks.OverlapSettings``.

    >>> training = "treebanks/en_sample-ud-train.conllu"
    >>> db.overlap("en_sample-ud1.0-test", training).sentences.num_rows
    3
    """
    from ...ingest.treebanks.training_text import read_training
    from ...queries.tasks.overlap import find_overlap, overlap_metrics, stored_training
    from ...queries.tasks.overlap_scores import read_overlap
    from ...schema.names import resolve_treebank

    overlapping = settings_of(OverlapSettings, settings, fields)
    files = [Path(path) for path in training]
    label = name or ", ".join(path.name for path in files)
    with tracker.reading() as database:
        found = resolve_treebank(database, treebank)
        names = overlap_metrics(metrics)
    if files:
        batches = read_training(files, progress=progress)
        find_overlap(tracker.database, found, label, batches, overlapping)
    with tracker.reading() as database:
        return read_overlap(
            database,
            found,
            label or stored_training(database, found),
            metrics=names,
            replicates=replicates,
            seed=seed,
        )
