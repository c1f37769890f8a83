"""Loading scores of metrics that were computed elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ...schema.progress import Progress, silent
from .given import Files, HowScored, files_of
from .loading import analyse_loaded

if TYPE_CHECKING:
    from ...ingest.scores.loading import MetricScores, Whose
    from ...queries.metrics.external import StoredScores
    from ..wmt import WmtReport
    from . import Tracker


def ingest_metric_scores(
    tracker: Tracker,
    paths: Files,
    *,
    columns: Mapping[str, str] | None = None,
    campaign: str | None = None,
    system: str | None = None,
    treebank: str | None = None,
    submission: str | None = None,
    replace: bool = False,
    elect: bool = False,
    progress: Progress = silent,
    **scored: Unpack[HowScored],
) -> list[StoredScores]:
    """Load scores by metrics that were computed elsewhere; return what became of each metric's.

    See ``ingest.scores.files`` for the formats, and ``queries.metrics.external``. ``columns``
    maps fields to a table's columns; ``scored`` says what files do not: name, version, model,
    model_hash, prompt_hash, reference (src: based on sources) and better (higher or lower).
    ``elect`` lets this version and model be the score where others are. All files are loaded, or
    none.

    >>> (comet,) = db.ingest_metric_scores("comet.csv", name="COMET", campaign="SAMPLE25")
    >>> comet.metric, comet.sentences
    ('comet', 2)
    """
    from ...ingest.scores.loading import Whose, read_metric_scores, whose

    files = files_of(paths)
    read: list[MetricScores] = []
    for done, path in enumerate(files):
        progress(path.name, done, len(files))
        read += read_metric_scores(path, columns=columns, label=scored.get("name"))
    given = whose(tracker.database, Whose(campaign, system, treebank, submission))
    with tracker.database.transaction():
        stored = store_scores(tracker, read, given, replace=replace, elect=elect, **scored)
    progress("loaded", len(files), len(files))
    return stored


def ingest_wmt(
    tracker: Tracker,
    path: Path | str,
    pair: str,
    *,
    campaign: str | None = None,
    year: int | None = None,
    reference: str | None = None,
    replace: bool = False,
    progress: Progress = silent,
) -> WmtReport:
    """Load a language pair (en-de) of a folder as mt-metrics-eval lays it out; return what it did.

    Sources, a reference, documents, systems' outputs, people's and metrics' scores: what of it is
    there, all or nothing. ``campaign`` is the folder's name in capitals if not given, ``reference``
    the first of those there are. See docs/external-scores.md.

    >>> db.ingest_wmt("wmt24", "he-en").sentences
    3
    """
    from ..wmt import ingest_wmt

    report = ingest_wmt(
        tracker,
        Path(path),
        pair,
        campaign=campaign,
        year=year,
        reference=reference,
        replace=replace,
        progress=progress,
    )
    analyse_loaded(tracker)
    return report


def store_scores(
    tracker: Tracker,
    read: Sequence[MetricScores],
    given: Whose,
    *,
    replace: bool = False,
    elect: bool = False,
    **scored: Unpack[HowScored],
) -> list[StoredScores]:
    """Store scores that were read, those of sentences and of systems by one metric together."""
    import pyarrow as pa

    from ...ingest.scores.loading import sentence_rows, submission_rows
    from ...queries.catalog import install
    from ...queries.metrics.external import ExternalScoring, store_external

    stated = {**scored, "input": scored.get("reference")}
    stated.pop("reference", None)
    said = {name: value for name, value in stated.items() if value is not None}
    alike: dict[tuple[str, str | None], list[MetricScores]] = {}
    for each in read:
        alike.setdefault((each.label, each.input), []).append(each)
    stored = []
    for (label, _), of in alike.items():
        told: dict[str, Any] = {}
        for each in of:
            kept = ("input", "version", "settings", "better")
            told |= {name: getattr(each, name) for name in kept if getattr(each, name) is not None}
        sentences = [
            sentence_rows(tracker.database, each, given) for each in of if each.level == "sentence"
        ]
        whole = [
            submission_rows(tracker.database, each, given)
            for each in of
            if each.level != "sentence"
        ]
        stored.append(
            store_external(
                tracker.database,
                ExternalScoring(label=label, **{**told, **said}),
                pa.concat_tables(sentences) if sentences else None,
                pa.concat_tables(whole) if whole else None,
                source=", ".join(dict.fromkeys(Path(each.source).name for each in of)),
                replace=replace,
                elect=elect,
            )
        )
    install(tracker.database)
    return stored
