"""Comparing two submissions: everything that changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from ....schema.database import Database
from ....schema.errors import InputError, UnknownNameError
from ....schema.iterations import resolve_submission
from ....schema.names import unknown_name
from ....schema.statements import Row, read_rows, row_by_id
from ...errors.example_reading import Example, read_examples
from ...errors.jobs import check_metric, usual_metrics_of
from ...metrics.registry import (
    checks,
    direction,
    label_of,
    parts_by_kind,
    scoring_hint,
    tabled_metrics,
)
from ...metrics.slices import sentences_over
from .changes import METRIC, read_measures
from .model import BucketChange, Comparison, Measured, ReferenceWord, SentenceChange, Settings
from .paired import sample_changes
from .patterns import ngram_changes, pattern_changes
from .ranking import Rankings, rank
from .samples import whole_samples
from .sides import Pairing, check, notes, with_sentence_metric
from .slices import label_notes, slice_names
from .stored import PairTests, pair_tests, sentences_of
from .verdict import outcome

FIRST_TRIAL = (
    "relations, parts, patterns and sentences rest on the first trial; view flaky_sentences tells "
    "which sentences differ between trials"
)


def compare(
    database: Database, new: str, base: str, settings: Settings | None = None
) -> Comparison:
    """Return how submission ``new`` differs from ``base``: differences are new minus base.

    Both are ids of submissions. What is stored of it and still holds is read; the rest is tested
    now, and ``unstored`` is to be written. Where their treebanks differ (only with ``force``) the
    sentences with the same reference text are compared. Where labels are chosen (``over``), the
    verdict speaks of these.

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
        for name, item in sorted(measured.items())
        if (item.kind in parts_by_kind() or (item.kind == "errors" and "[" in name))
        and item.submissions == len(pairing.ids)
    ]
    part_changes = tests.changes(parts, measured)
    chosen = tests.settings.over is not None
    slices = slice_names(pairing, tests.primary[: None if chosen else 1], tests.settings.over)
    slice_changes = tests.changes(slices, measured)
    verdict = dict(tests.verdict)
    if chosen:
        of_first = [name for name in slices if name.startswith(f"{tests.primary[0]}[")]
        verdict["labels_verdict"] = tests.labels_verdict(of_first)
    gained, lost = sentence_changes(pairing, settings)
    # The first metric and edge accuracy: more would make the table hard to read.
    cut = [name for place, name in enumerate(metrics) if place == 0 or name == METRIC]
    by = settings.sentence_metric
    unscored = (
        "no sentences are shown as gained or lost: the submissions do not both have scores by "
        f"{label_of(by)}; 'tracker score' computes scores that are missing"
    )
    return compare_patterns(
        database,
        replace(
            compare_ngrams(database, comparison),
            verdict=[sentence for sentence in verdict.values() if sentence],
            parts=part_changes,
            slices=slice_changes,
            buckets=bucket_changes(pairing, cut, settings),
            gained=gained,
            lost=lost,
            flaky=flaky_sentences(pairing, settings),
            notes=[
                *comparison.notes,
                *label_notes(pairing, slices),
                *([] if by in pairing.shared else [unscored]),
            ],
            unstored=tests.rows(comparison.objections),
        ),
    )


def compare_scores(tests: PairTests, measured: Mapping[str, Measured] | None = None) -> Comparison:
    """Return what changed in metrics, checks and relations: what a verdict rests on, and more.

    ``measured`` is what ``read_measures`` returned, where that was asked. Raises as ``compare``.
    """
    pairing = tests.pairing
    settings = with_sentence_metric(pairing.database, tests.settings, pairing.ids)
    check_metric(pairing.database, settings.sentence_metric)
    metrics = _chosen(pairing.shared, pairing.ids, settings.metrics, pairing.usual_metrics)
    metrics = [*tests.primary, *(name for name in metrics if name not in tests.primary)]
    objections = check(pairing, metrics, force=settings.force)
    checked = [name for name in checks() if name in pairing.shared and name not in metrics]
    tested = tests.changes([*metrics, *checked], measured)
    changes = tested[: len(metrics)]
    return Comparison(
        new=pairing.new,
        base=pairing.base,
        settings=settings,
        sentences=sentences_of(pairing),
        matched_by="sentence" if pairing.same_treebank else "text",
        objections=objections,
        resampling_unit=tests.clusters.unit,
        clusters=tests.clusters.number,
        verdict=[sentence for sentence in tests.verdict.values() if sentence],
        outcome=outcome(changes, settings.alpha),
        metrics=changes,
        checks=tested[len(metrics) :],
        relations=tests.relations(),
        notes=[
            *notes(pairing, metrics),
            *filter(None, [tests.clusters.note]),
            *([FIRST_TRIAL] if any(change.trials for change in changes) else []),
        ],
        unstored=tests.rows(objections),
    )


def compare_ngrams(database: Database, comparison: Comparison) -> Comparison:
    """Return a comparison with what changed in n-grams of words, where both are of one test set."""
    pairing = Pairing(database, comparison.new, comparison.base)
    if not pairing.same_treebank:
        return comparison
    return replace(comparison, ngrams=ngram_changes(pairing, comparison.settings))


def compare_patterns(database: Database, comparison: Comparison) -> Comparison:
    """Return a comparison with what changed in patterns, or a note on why that is not told.

    References without words have no patterns, and nothing is said of these.
    """
    pairing = Pairing(database, comparison.new, comparison.base)
    words = row_by_id(database, "treebank", comparison.new.treebank_id, "tokens")
    if words == (0,):
        return comparison
    if not pairing.same_treebank:
        reasons = ["patterns are not compared: they are mined in one treebank"]
        return replace(comparison, notes=[*comparison.notes, *reasons])
    patterns = pattern_changes(pairing, comparison.settings)
    metric = label_of(comparison.settings.sentence_metric)
    reason = f"{pairing.base.submission_id} has no error mining by {metric}"
    reasons = [f"patterns are not compared: {reason}; 'tracker analyse' makes one"]
    return replace(
        comparison, patterns=patterns, notes=[*comparison.notes, *([] if patterns else reasons)]
    )


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
    if settings.over:
        raise InputError("three and more are ranked over all sentences", hint="leave --over out")
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
    usual = usual_metrics_of(database, submissions)
    return _chosen([row["measure"] for row in rows], submissions, wanted, usual)


def _chosen(
    shared: Sequence[str],
    submissions: Sequence[str],
    wanted: Sequence[str] | None,
    usual_metrics: Sequence[str],
) -> list[str]:
    if wanted is not None:
        missing = [name for name in wanted if name not in shared and "[" not in name]
        if missing:
            raise unknown_name(
                "metric",
                missing[0],
                shared,
                message=f"some of {', '.join(submissions)} have no score by '{missing[0]}'",
                hint=scoring_hint(missing[0]),
            )
        return [*dict.fromkeys(wanted)]
    unusual = {metric.name for metric in tabled_metrics() if not metric.usual}
    usual = [name for name in usual_metrics if name in shared]
    return usual + [name for name in shared if name not in {*usual, *unusual}]


LENGTH, DEPTH, PROJECTIVITY = "length", "depth", "projectivity"
OVERLAP = "training overlap"
_SORTS = {
    LENGTH: ("short", "medium", "long"),
    DEPTH: ("shallow", "middling", "deep"),
    PROJECTIVITY: ("projective", "non-projective"),
    OVERLAP: ("in training files", "not in training files"),
}
_UNITS = {LENGTH: ("word", "words"), DEPTH: ("edge", "edges")}


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
    buckets = read_rows(pairing.database, "compared_buckets", treebank=pairing.new.treebank_id)
    if not buckets:
        return []
    samples = whole_samples(pairing, metrics, settings)
    cut = [
        sample.of(np.isin(sample.sentence_nos, bucket["sentence_nos"]))
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
            feature=bucket["feature"],
            bucket=bucket_name(bucket["feature"], bucket["part"], bucket["low"], bucket["high"]),
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


def sentence_changes(
    pairing: Pairing, settings: Settings
) -> tuple[list[SentenceChange], list[SentenceChange]]:
    """Return the sentences that gained most, and those that lost most, by the sentence metric.

    Where the settings name values of labels, they are sentences with one of these. Both lists have
    at most as many as the settings say, the largest change first, equal ones in the order of the
    treebank; what has no score by either is in neither.
    """
    if not settings.sentences:
        return [], []
    database, (new, base) = pairing.database, pairing.ids
    named = [name for name in settings.over or () if "=" in name]
    chosen = sentences_over(database, pairing.new.treebank_id, named)
    scored = [
        row
        for row in pairing.sentence_scores(settings.sentence_metric).to_pylist()
        if chosen is None or row["new_no"] in chosen
    ]
    better = direction(settings.sentence_metric)
    gained = _furthest(scored, settings.sentences, sign=better)
    lost = _furthest(scored, settings.sentences, sign=-better)
    shown = {row["new_no"]: row["base_no"] for row in [*gained, *lost]}
    ours = {e.sentence_no: e for e in read_examples(database, new, [*shown], {})}
    theirs = {e.sentence_no: e for e in read_examples(database, base, [*shown.values()], {})}

    def change(row: Row) -> SentenceChange:
        example, other = ours[row["new_no"]], theirs[row["base_no"]]
        return sentence_change(row["new_score"], row["base_score"], example, other)

    return [change(row) for row in gained], [change(row) for row in lost]


def flaky_sentences(pairing: Pairing, settings: Settings) -> list[Row]:
    """Return the sentences of new that differ most between trials by the sentence metric."""
    return read_rows(
        pairing.database,
        "listed_flaky",
        submission=pairing.new.submission_id,
        metric=settings.sentence_metric,
        rows=settings.sentences,
    )


def _furthest(rows: Sequence[Row], limit: int, *, sign: int) -> list[Row]:
    moved = [row for row in rows if sign * (row["new_score"] - row["base_score"]) > 0]
    moved.sort(key=lambda row: (sign * (row["base_score"] - row["new_score"]), row["new_no"]))
    return moved[:limit]


def sentence_change(
    new_score: float, base_score: float, new: Example, base: Example
) -> SentenceChange:
    """Return a sentence with the outputs and scores of both submissions."""
    return SentenceChange(
        sentence_no=new.sentence_no,
        sent_id=new.sent_id,
        reference=new.reference,
        base_output=base.output,
        new_output=new.output,
        base_score=base_score,
        new_score=new_score,
        words=new.words,
        base_found={word.token_no: word.found for word in base.words},
        reference_words=_reference_words(new, base),
        base_pieces=base.output_pieces,
        new_pieces=new.output_pieces,
        other_references=new.other_references,
    )


def _reference_words(new: Example, base: Example) -> list[ReferenceWord]:
    """Return the reference's words; which base has is not told where its reference is another."""
    ours, theirs = new.reference_pieces, base.reference_pieces
    if [piece.word for piece in ours] != [piece.word for piece in theirs]:
        theirs = ours
    return [
        ReferenceWord(
            piece.before, piece.word, in_base=other.kind == "same", in_new=piece.kind == "same"
        )
        for piece, other in zip(ours, theirs, strict=True)
    ]
