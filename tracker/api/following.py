"""Comparing submissions, and following systems over iterations and years."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace as with_values
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ...schema.errors import DatabaseUnavailableError, UnknownNameError
from ...schema.iterations import BEST, PREVIOUS, resolve_submission
from ...schema.progress import Progress, silent
from .given import Fields, Filters, settings_of
from .holding import storing

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.change.comparison.model import Comparison
    from ...queries.change.comparison.model import Settings as ComparisonSettings
    from ...queries.change.comparison.stored import Rows
    from ...queries.change.drift import Drift
    from ...queries.change.gate import GateResult
    from ...queries.change.history import Control, History, Tests
    from ...queries.change.years import Choice as YearsChoice
    from ...queries.change.years import Years
    from ...queries.test_sets.challenges import Challenges
    from ...queries.test_sets.overlap import Overlap
    from . import Tracker


def compare(
    tracker: Tracker,
    new: str,
    base: str,
    *,
    metrics: Sequence[str] | None = None,
    sentence_metric: str | None = None,
    replicates: int = 1000,
    seed: int = 12345,
    level: float = 0.95,
    alpha: float = 0.05,
    sentences: int = 5,
    force: bool = False,
    resampling_unit: str | None = None,
    treebank: str | None = None,
    campaign: str | None = None,
) -> Comparison:
    """Return what changed from ``base`` to ``new``: ids, or names such as ours@latest.

    What is stored of it is told as it was; what is not is tested, and stored. ``treebank`` and
    ``campaign`` say which submission a name means; without a ``sentence_metric`` it is the first of
    those that both have. For the rest see
    ``queries.change.comparison.model.Settings``.

    >>> change = db.compare("random", "head-direction", treebank="en_sample", replicates=100)
    >>> [(each.measure, round(each.difference, 2)) for each in change.metrics]
    [('bleu', -0.74), ('dea', -0.76)]
    """
    from ...queries.change.comparison.comparing import compare
    from ...queries.change.comparison.model import Settings
    from ...queries.errors.measures import sentence_metrics

    with tracker.reading() as database:
        new, base = (
            resolve_submission(database, name, treebank=treebank, campaign=campaign)
            for name in (new, base)
        )
        settings = Settings(
            metrics=metrics,
            sentence_metric=sentence_metric or sentence_metrics(database, [new, base])[0],
            replicates=replicates,
            seed=seed,
            level=level,
            alpha=alpha,
            sentences=sentences,
            force=force,
            resampling_unit=resampling_unit,
        )
        comparison = compare(database, new, base, settings)
    left = keep_comparisons(tracker, [comparison.unstored])
    return with_values(comparison, notes=[*comparison.notes, *left])


def history(
    tracker: Tracker,
    system: str,
    *,
    treebank: str | None = None,
    campaign: str | None = None,
    measures: Sequence[str] | None = None,
    settings: ComparisonSettings | Fields | None = None,
    tests: Tests = "all",
    control: Control = "step",
    progress: Progress = silent,
) -> History:
    """Return a system over its iterations; see ``queries.change.history.computing``.

    >>> len(db.history("random", treebank="en_sample").lines)
    1
    """
    from ...queries.change.comparison.model import Settings
    from ...queries.change.history.computing import history

    with tracker.reading() as database:
        whole = history(
            database,
            system,
            treebank=treebank,
            campaign=campaign,
            measures=measures,
            settings=settings_of(Settings, settings),
            tests=tests,
            control=control,
            progress=progress,
        )
    left = keep_comparisons(tracker, whole.unstored)
    return with_values(whole, notes=[*whole.notes, *left])


def years(tracker: Tracker, choice: YearsChoice | Fields | None = None) -> Years:
    """Return measures over years, systems and families; see ``queries.change.years``.

    >>> years = db.years({"measures": ["bleu"]})
    >>> [(point.system_id, point.year, round(point.score, 3)) for point in years.points[:2]]
    [('head-direction', 2023, 0.415), ('random', 2023, 0.024)]
    """
    from ...queries.change.years import Choice
    from ...queries.change.years.reading import read_years

    return read_years(tracker.database, settings_of(Choice, choice))


def drift(
    tracker: Tracker,
    *versions: str,
    metrics: Sequence[str] | None = None,
    base: str | None = None,
    new: str | None = None,
    replicates: int = 1000,
    seed: int = 12345,
    level: float = 0.95,
    progress: Progress = silent,
) -> Drift:
    """Return what changed between versions of a test set, and what that does to scores.

    ``versions`` are treebanks, oldest first; ``base`` and ``new`` may name two runs, each loaded
    for the first and the last version (``carry``). See ``queries.change.drift``.

    >>> later, _ = db.ingest_treebank("revised/en_sample-ud-test.conllu", version="1.1")
    >>> db.drift("en_sample-ud1.0-test", later).steps[0].counts.trees_changed
    3
    """
    from ...queries.change.drift.reading import read_drift
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
    """Return which items of challenge sets submissions pass; see ``queries.test_sets``.

    >>> items = db.ingest_challenge("items.csv", treebank="en_sample-ud1.0-test")
    >>> db.challenge(system="ngram").rates.num_rows
    6
    """
    from ...queries.test_sets.challenges import read_challenges

    return read_challenges(tracker.database, tracker.select(**filters))


def overlap(
    tracker: Tracker,
    treebank: str,
    *training: Path | str,
    name: str | None = None,
    order: int = 8,
    share: float = 0.5,
    similarity: float = 0.5,
    metrics: Sequence[str] | None = None,
    replicates: int = 1000,
    seed: int = 12345,
    progress: Progress = silent,
) -> Overlap:
    """Return which sentences of a test set training files hold, and what is scored on them.

    What is found in ``training`` is stored under ``name``; without files, what was found last (or
    under ``name``) is told again. See ``queries.test_sets.overlap.OverlapSettings`` for ``order``,
    ``share`` and ``similarity``.

    >>> training = "treebanks/en_sample-ud-train.conllu"
    >>> db.overlap("en_sample-ud1.0-test", training).sentences.num_rows
    3
    """
    from ...ingest.treebanks.training_text import read_training
    from ...queries.change.overlap import read_overlap
    from ...queries.test_sets.overlap import (
        OverlapSettings,
        find_overlap,
        overlap_metrics,
        stored_training,
    )
    from ...schema.names import resolve_treebank

    files = [Path(path) for path in training]
    label = name or ", ".join(path.name for path in files)
    with tracker.reading() as database:
        found = resolve_treebank(database, treebank)
        names = overlap_metrics(metrics)
    if files:
        batches = read_training(files, progress=progress)
        settings = OverlapSettings(order, share, similarity)
        find_overlap(tracker.database, found, label, batches, settings)
    with tracker.reading() as database:
        return read_overlap(
            database,
            found,
            label or stored_training(database, found),
            metrics=names,
            replicates=replicates,
            seed=seed,
        )


def gate(
    tracker: Tracker,
    new: str,
    against: str,
    *,
    max_drop: Mapping[str, float] | Sequence[str] | None = None,
    minimum: Mapping[str, float] | Sequence[str] | None = None,
    thresholds: Path | str | None = None,
    allow_undefined: Sequence[str] = (),
    significant: bool | None = None,
    non_inferior: bool | None = None,
    alpha: float | None = None,
    minimum_n: int | None = None,
    settings: ComparisonSettings | Fields | None = None,
    treebank: str | None = None,
    campaign: str | None = None,
) -> GateResult:
    """Check that a submission is not worse than another; see ``queries.change.gate``.

    ``max_drop`` and ``minimum`` give limits by measure, or as texts such as bleu=0.5, and
    ``thresholds`` is a file that may do so as well; what is given beside it goes before what it
    says. ``significant`` and ``non_inferior`` are rules that exclude each other. The result says in
    ``passed`` whether all hold.

    >>> limits = {"bleu": 0.1}
    >>> db.gate("random", "head-direction", max_drop=limits, treebank="en_sample").passed
    False
    """
    from ...queries.change import thresholds as given_as
    from ...queries.change.comparison.model import Settings
    from ...queries.change.gate import CHOSEN_AS_BEST, check_gate

    file = given_as.read_thresholds(Path(thresholds)) if thresholds else given_as.ThresholdFile()
    given = [
        given_as.parse_threshold(kind, text)
        for kind, limits in (("max-drop", max_drop), ("min", minimum))
        for text in (
            [f"{measure}={limit}" for measure, limit in limits.items()]
            if isinstance(limits, Mapping)
            else limits or ()
        )
    ]
    settings = settings_of(Settings, settings)
    if alpha := alpha or file.alpha:
        settings = with_values(settings, alpha=alpha)
    # What is asked for goes before the file, and either rule takes the other's place.
    if significant:
        non_inferior = bool(non_inferior)
    if non_inferior:
        significant = bool(significant)
    chosen = [CHOSEN_AS_BEST] if f"@{BEST}" in str(against) else []
    with tracker.reading() as database:
        place = {"treebank": treebank, "campaign": campaign}
        new = resolve_submission(database, new, **place)
        try:
            against = resolve_submission(database, against, **place)
        except UnknownNameError:
            system, _, which = str(against).rpartition("@")
            if which != PREVIOUS or resolve_submission(database, system, **place) != new:
                raise
            against = new  # a first run has none before it
        result = check_gate(
            database,
            new,
            against,
            given_as.merged(file.thresholds, given, allow_undefined),
            significant=bool(file.significant if significant is None else significant),
            non_inferior=bool(file.non_inferior if non_inferior is None else non_inferior),
            minimum_n=(file.minimum_n or 0) if minimum_n is None else minimum_n,
            settings=settings,
        )
    left = keep_comparisons(tracker, [result.unstored])
    return with_values(result, notes=[*result.notes, *chosen, *left])


def primary(
    tracker: Tracker, *metrics: str, campaign: str | None = None, default: bool = False
) -> pa.Table:
    """Return the metrics that verdicts of campaigns rest on, or choose them for one.

    Without ``metrics`` what was chosen is told; ``default`` takes the choice back: then it is the
    first usual metric of the text, and edge accuracy where there are trees. All other metrics are
    exploratory: each is tested alone, and no verdict rests on it.

    >>> db.primary("chrf", "dea", campaign="SAMPLE25")["metric"].to_pylist()
    ['chrf', 'dea']
    >>> db.primary(campaign="SAMPLE25", default=True).num_rows
    0
    """
    from ...queries.change.primary import choose_metrics, chosen_metrics

    if not metrics and not default:
        with tracker.reading() as database:
            return chosen_metrics(database, campaign)
    with tracker.writing() as database:
        return choose_metrics(database, metrics, campaign)


def keep_comparisons(tracker: Tracker, comparisons: Sequence[Rows | None]) -> list[str]:
    """Store what was tested and is not stored yet; return a note on why, where that cannot be.

    What was tested is true all the same: who may only read, or looks at the past, keeps nothing.
    """
    from ...queries.change.comparison.stored import store

    new = [rows for rows in comparisons if rows is not None]
    if not new:
        return []
    try:
        with storing(tracker) as database:
            store(database, new)
    except DatabaseUnavailableError as error:
        tested = "the comparison was" if len(new) == 1 else f"{len(new)} comparisons were"
        return [f"{tested} tested now and not stored: {error.message}"]
    return []
