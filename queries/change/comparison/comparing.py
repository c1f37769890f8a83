"""Comparing two submissions: everything that changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....schema.database import Database
from ....schema.errors import InputError, UnknownNameError
from ....schema.iterations import resolve_submission
from ....schema.names import unknown_name
from ....schema.statements import read_rows
from ...errors.measures import check_metric
from ...metrics.registry import parts_by_kind, tabled_metrics, usual_metrics
from .buckets import bucket_changes
from .changes import Measured, read_measures
from .comparability import check, notes
from .model import Comparison, Settings
from .patterns import pattern_changes
from .ranking import Rankings, rank
from .sentences import sentence_changes
from .sides import Pairing, with_sentence_metric
from .stored import PairTests, pair_tests, sentences_of
from .verdict import outcome, relations_text, verdict_text

_EDGES = "dea"


def compare(
    database: Database, new: str, base: str, settings: Settings | None = None
) -> Comparison:
    """Return how submission ``new`` differs from ``base``: differences are new minus base.

    Both are ids of submissions. What is stored of it and still holds is read; the rest is tested
    now, and ``unstored`` is to be written. Where their treebanks differ (only with ``force``) the
    sentences with the same reference text are compared.

    Raises IncomparableError where the two must not be compared and the settings do not force it.
    """
    tests = pair_tests(database, new, base, settings or Settings())
    pairing = tests.pairing
    measured = read_measures(pairing)
    comparison = compare_scores(tests, measured)
    settings = comparison.settings
    metrics = [change.measure for change in comparison.metrics]
    parts = [
        name
        for name, each in sorted(measured.items())
        if (each.kind in parts_by_kind() or (each.kind == "errors" and "[" in name))
        and each.submissions == len(pairing.ids)
    ]
    part_changes = tests.changes(parts, measured)
    gained, lost = sentence_changes(pairing, settings)
    by = settings.sentence_metric
    unscored = f"no sentences are told as gained or lost: not both have scores by {by}"
    return compare_patterns(
        database,
        replace(
            comparison,
            parts=part_changes,
            buckets=bucket_changes(pairing, _bucket_metrics(metrics), settings),
            gained=gained,
            lost=lost,
            notes=[*comparison.notes, *([] if by in pairing.shared else [unscored])],
            unstored=tests.rows(comparison.objections),
        ),
    )


def compare_scores(tests: PairTests, measured: Mapping[str, Measured] | None = None) -> Comparison:
    """Return what changed in metrics and relations alone: what a verdict rests on.

    ``measured`` is what ``read_measures`` returned, where that was asked. Raises as ``compare``.
    """
    pairing = tests.pairing
    settings = with_sentence_metric(pairing.database, tests.settings, pairing.ids)
    check_metric(pairing.database, settings.sentence_metric)
    metrics = _chosen(pairing.shared, pairing.ids, settings.metrics)
    metrics = [*tests.primary, *(name for name in metrics if name not in tests.primary)]
    objections = check(pairing, metrics, force=settings.force)
    changes = tests.changes(metrics, measured)
    relations = tests.relations()
    sentences = [
        verdict_text(pairing.new, pairing.base, changes, settings.alpha),
        relations_text(relations, settings.alpha),
    ]
    return Comparison(
        new=pairing.new,
        base=pairing.base,
        settings=settings,
        sentences=sentences_of(pairing),
        matched_by="sentence" if pairing.same_treebank else "text",
        objections=objections,
        resampling_unit=tests.clusters.unit,
        clusters=tests.clusters.number,
        verdict=[sentence for sentence in sentences if sentence],
        outcome=outcome(changes, settings.alpha),
        metrics=changes,
        relations=relations,
        notes=[*notes(pairing, metrics), *filter(None, [tests.clusters.note])],
        unstored=tests.rows(objections),
    )


def compare_patterns(database: Database, found: Comparison) -> Comparison:
    """Return a comparison with what changed in patterns, or a note on why that is not told."""
    pairing = Pairing(database, found.new, found.base)
    if not pairing.same_treebank:
        said = ["patterns are not compared: they are mined in one treebank"]
        return replace(found, notes=[*found.notes, *said])
    patterns = pattern_changes(pairing, found.settings)
    reason = f"{pairing.base.submission_id} has no error mining by {found.settings.sentence_metric}"
    said = [f"patterns are not compared: {reason}; 'tracker analyse' makes one"]
    return replace(found, patterns=patterns, notes=[*found.notes, *([] if patterns else said)])


def rankings(
    database: Database, submissions: Sequence[str], settings: Settings | None = None
) -> Rankings:
    """Return how several submissions rank by each of the settings' metrics.

    Without any, by the first of the usual metrics that all have.

    Raises InputError where a submission is named twice, UnknownNameError for a metric that one of
    them lacks, IncomparableError where they must not be compared and it is not forced.
    """
    submissions = [resolve_submission(database, name) for name in submissions]
    settings = with_sentence_metric(database, settings or Settings(), submissions)
    twice = [name for name in dict.fromkeys(submissions) if submissions.count(name) > 1]
    if twice:
        raise InputError(f"'{twice[0]}' is named more than once", hint="name each once")
    metrics = compared_metrics(database, submissions, settings.metrics)
    if settings.metrics is None:
        metrics = metrics[:1]
    if not metrics:
        raise UnknownNameError("they have no score in common", hint="'tracker score' computes them")
    ranked = [rank(database, submissions, metric, settings) for metric in metrics]
    return Rankings(ranked, settings)


def compared_metrics(
    database: Database, submissions: Sequence[str], wanted: Sequence[str] | None
) -> list[str]:
    """Return the measures that submissions are compared by: those wanted, else the usual ones.

    Those are the usual metrics and human criteria, of what all have.

    Raises UnknownNameError for a wanted measure that one of them lacks.
    """
    rows = read_rows(database, "shared_measures", submissions=list(submissions))
    return _chosen([row["measure"] for row in rows], submissions, wanted)


def _chosen(
    shared: Sequence[str], submissions: Sequence[str], wanted: Sequence[str] | None
) -> list[str]:
    if wanted is not None:
        missing = [name for name in wanted if name not in shared and "[" not in name]
        if missing:
            raise unknown_name(
                "metric",
                missing[0],
                shared,
                message=f"not all of {', '.join(submissions)} have a score by '{missing[0]}'",
                hint="'tracker score' computes what is missing",
            )
        return [*dict.fromkeys(wanted)]
    unusual = {metric.name for metric in tabled_metrics() if not metric.usual}
    usual = [name for name in usual_metrics() if name in shared]
    return usual + [name for name in shared if name not in {*usual, *unusual}]


def _bucket_metrics(metrics: Sequence[str]) -> list[str]:
    """Return the first metric and edge accuracy: more would make the table hard to read."""
    return [name for place, name in enumerate(metrics) if place == 0 or name == _EDGES]
