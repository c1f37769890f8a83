"""Loading what people, and metrics elsewhere, said of outputs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace as with_values
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypedDict, Unpack

from ...schema.parameters import (
    Campaign,
    EachFile,
    Elect,
    OneFile,
    Option,
    Replace,
    Submission,
    System,
    Treebank,
)
from ...schema.progress import Progress, silent
from .loading import analyse_loaded
from .methods import Files, files_of

if TYPE_CHECKING:
    from ...ingest.judgements.appraise_batches import BatchItem
    from ...ingest.judgements.columns import Scales
    from ...ingest.judgements.loading import JudgementReport
    from ...ingest.scores import MetricScores, ScoreFile
    from ...queries.metrics.external import StoredScores
    from .tracker import Tracker

Columns: TypeAlias = Annotated[
    Mapping[str, str] | None, Option(flag="--column", short="-c", metavar="FIELD=COLUMN")
]
"""The file's column of each field."""


class OfAllRows(TypedDict, total=False):
    """What holds for all rows of a file of scores or judgements."""

    system_id: Annotated[System | None, Option("System of all rows.", flag="--system")]
    submission_id: Annotated[
        Submission | None, Option("Submission of all rows.", flag="--submission")
    ]
    criterion: Annotated[
        str | None, Option("Criterion of all rows: adequacy, fluency or any other.")
    ]


class ScoreColumns(OfAllRows, total=False):
    """What holds for all rows of a file of scores; see ingest.scores.ScoreFile."""

    campaign_id: Annotated[
        Campaign | None,
        Option("Campaign of the submissions; else the only one.", flag="--campaign"),
    ]
    treebank_id: Annotated[
        Treebank | None,
        Option("Treebank of all rows; else the campaign's only one.", flag="--treebank"),
    ]


class HowScored(TypedDict, total=False):
    """How a metric's scores were computed elsewhere; see queries.metrics.external."""

    name: Annotated[
        str | None, Option("Name of the metric; else the file's.", flag="--metric-name")
    ]
    version: Annotated[str | None, Option("Version of the metric.", flag="--metric-version")]
    model: Annotated[str | None, Option("Name of its model.")]
    model_hash: Annotated[str | None, Option("Hash of its model.")]
    prompt_hash: Annotated[str | None, Option("Hash of a judge's prompt.")]
    reference: Annotated[
        str | None, Option("Reference that outputs were compared with; src: the sources were.")
    ]
    better: Annotated[str | None, Option("Which scores are better.", choices=("higher", "lower"))]


class Judging(OfAllRows, total=False):
    """What may be said of a file of judgements; see ingest.judgements.columns.JudgementFile."""

    treebank_id: Annotated[
        Treebank | None,
        Option(
            "Treebank, or name of the test set, of all rows; else the campaign's only one.",
            flag="--treebank",
        ),
    ]
    kinds: Annotated[
        Mapping[str, str],
        Option(
            "What a value of the kind column means: ordinary, repeat, degraded or reference.",
            flag="--kind",
            short="--kinds -k",
            metavar="VALUE=KIND",
        ),
    ]
    layout: Annotated[
        str,
        Option(
            "plain: a table; wmt: WMT's direct assessments; mturk: Mechanical Turk results; json: "
            "objects inside each other, ratings in the innermost; with marked errors: appraise: "
            "Appraise's export; ratings: mt-metrics-eval's *.seg.rating; mqm: the table of WMT's "
            "MQM data; pearmut: Pearmut's annotations.",
            choices=(*("plain", "wmt", "mturk", "json", "appraise", "ratings", "mqm", "pearmut"),),
            default="plain",
        ),
    ]
    levels: Annotated[
        Sequence[str],
        Option(
            "json: fields that the nested objects name, from the outside in.",
            metavar="FIELD,…",
            commas=True,
            default="sent_id,annotator,criterion",
        ),
    ]
    ignore: Annotated[Sequence[str], Option("Column of the file to leave out.", metavar="COLUMN")]
    scales: Annotated[
        Path | str | Scales | None,
        Option(
            "Scores are z-scores: the annotators' means and deviations, as a table or as R prints "
            "them. The ratings are stored."
        ),
    ]
    annotators: Annotated[
        str | Collection[str] | None,
        Option(
            "Load only these annotators: A1,A2,… or a .txt or .json file of them.",
            flag="--accepted-workers",
            metavar="LIST",
        ),
    ]
    register: Annotated[bool, Option("Register a test set without a treebank, and its systems.")]
    raw: Annotated[bool, Option("Load numbers that look like z-scores as ratings.")]
    weights: Annotated[
        str | None,
        Option(
            "Scheme of weights of marked errors; by default that of the file, or else of the "
            "layout.",
            choices=("wmt", "wmt21", "esa23", "none"),
        ),
    ]
    annotator_names: Annotated[
        Path | str | Mapping[str, str] | None,
        Option(
            "appraise: the annotator of each login, a CSV file with the columns login and "
            "annotator.",
            flag="--annotators",
        ),
    ]
    language_pair: Annotated[
        str | None,
        Option(
            "appraise: load only this pair, such as eng-deu; pearmut: load this campaign of "
            "several, by its name or a part of it.",
            metavar="PAIR",
        ),
    ]
    item_numbers: Annotated[
        str,
        Option(
            "appraise: whether items are numbered by segment of the test set or by place in the "
            "HIT.",
            choices=("auto", "segments", "places"),
            default="auto",
        ),
    ]
    batches: Annotated[
        Sequence[Path | str | BatchItem],
        Option(
            "appraise: the campaign's batches.json, whose texts show the sentence of each item."
        ),
    ]
    judged_segments: Annotated[
        Path | str | Mapping[str, Collection[int]] | None,
        Option(
            "appraise: a *.seg.score file with None for the segments of a system that were left "
            "out."
        ),
    ]


def ingest_scores(
    tracker: Tracker,
    path: EachFile,
    *,
    columns: Annotated[
        Columns,
        Option(
            "Column of a field: submission, system, treebank, iteration, sent_id, criterion, "
            "z_score, raw_mean, judgements."
        ),
    ] = None,
    replace: Replace = False,
    **fixed: Unpack[ScoreColumns],
) -> int:
    """Load FILES of sentence-level human scores (CSV, TSV, JSONL, Parquet).

    Returns how many are new. ``fixed`` is what the whole file is of.

    >>> db.ingest_scores("naturalness.csv", campaign_id="SAMPLE25", system_id="ngram")
    2
    """
    from ...ingest.judgements.human_scores import ingest_human_scores
    from ...ingest.scores import ScoreFile

    return ingest_human_scores(
        tracker.database, Path(path), ScoreFile(columns or {}, **fixed), replace=replace
    )


def ingest_judgements(
    tracker: Tracker,
    path: OneFile,
    *,
    columns: Annotated[
        Columns,
        Option(
            "Column of a field: annotator, hit, item, submission, system, treebank, iteration, "
            "sent_id, criterion, kind, score, time, language, error_spans.",
            short="--columns -c",
        ),
    ] = None,
    campaign: Annotated[
        Campaign | None, Option("Campaign of the judgements; else the only one.")
    ] = None,
    replace: Replace = False,
    **details: Unpack[Judging],
) -> JudgementReport:
    """Load a FILE of raw judgements: ratings from 0 to 100 by annotators, or their marked errors.

    CSV, TSV, JSONL or Parquet with a row for each annotator, item and criterion, or one of the
    other layouts. Judgements that are loaded already are skipped.

    Returns what became of them. ``details`` are fields of
    ``ingest.judgements.columns.JudgementFile``, or the files that hold their values.

    >>> db.ingest_judgements("SAMPLE25/human/judgements.csv", campaign="SAMPLE25")
    JudgementReport(new=0, unchanged=2784, left_out=0)
    """
    from ...ingest.judgements.loading import JudgementFile, ingest_judgements

    judged = JudgementFile(columns or {}, campaign_id=campaign, **judging_read(details))
    report = ingest_judgements(tracker.database, Path(path), judged, replace=replace)
    analyse_loaded(tracker)
    return report


def judging_read(details: Mapping[str, object]) -> dict[str, Any]:
    """Return what is said of judgements, with the content of files in their place.

    Raises InputError (file:line) for a file that cannot be read.
    """
    from ...ingest.judgements.appraise_batches import read_batches
    from ...ingest.judgements.appraise_segments import read_annotator_names, read_judged_segments
    from ...ingest.judgements.columns import read_annotators, read_scales

    values: dict[str, Any] = dict(details)
    readers = {
        "scales": read_scales,
        "annotator_names": read_annotator_names,
        "judged_segments": read_judged_segments,
    }
    for name, read in readers.items():
        if isinstance(values.get(name), str | Path):
            values[name] = read(Path(values[name]))
    if isinstance(values.get("annotators"), str):
        values["annotators"] = read_annotators(values["annotators"])
    files = [Path(path) for path in values.get("batches", ()) if isinstance(path, str | Path)]
    return {**values, "batches": read_batches(files)} if files else values


def ingest_metric_scores(
    tracker: Tracker,
    paths: Annotated[Files, Option(metavar="FILES...", required=True)],
    *,
    columns: Annotated[
        Columns, Option("Column of a field: submission, system, sent_id, metric, score.")
    ] = None,
    campaign: Annotated[
        Campaign | None, Option("Campaign of the submissions; else the only one.")
    ] = None,
    system: Annotated[System | None, Option("System of all rows.")] = None,
    treebank: Annotated[
        Treebank | None, Option("Treebank of all rows; else the campaign's only one.")
    ] = None,
    submission: Annotated[Submission | None, Option("Submission of all rows.")] = None,
    replace: Replace = False,
    elect: Elect = False,
    progress: Progress = silent,
    **scored: Unpack[HowScored],
) -> list[StoredScores]:
    """Load FILES of scores by metrics that were computed elsewhere: COMET, judges, any other.

    mt-metrics-eval's NAME-refA.seg.score and .sys.score, tables (CSV, TSV, JSONL, Parquet, a JSON
    list of objects) with a column for each metric or of all scores, the JSON of comet-score and of
    sacreBLEU, and with --system a .txt file of one score a line. They are metrics like any other
    then.

    Returns what became of each metric's. See ``ingest.scores.files`` for the formats, and
    ``queries.metrics.external``. All files are loaded, or none.

    >>> (comet,) = db.ingest_metric_scores("comet.csv", name="COMET", campaign="SAMPLE25")
    >>> comet.metric, comet.sentences
    ('comet', 2)
    """
    from ...ingest.scores import ScoreFile, read_metric_scores, whose

    if unknown := scored.keys() - HowScored.__annotations__.keys():
        raise TypeError(
            f"ingest_metric_scores() got an unexpected keyword argument '{min(unknown)}'"
        )
    files = files_of(paths)
    read: list[MetricScores] = []
    for done, path in enumerate(files):
        progress(path.name, done, len(files))
        read += read_metric_scores(path, columns=columns, label=scored.get("name"))
    owner = whose(tracker.database, ScoreFile({}, campaign, system, treebank, submission))
    with tracker.database.transaction():
        stored = store_scores(tracker, read, owner, replace=replace, elect=elect, **scored)
    progress("loaded", len(files), len(files))
    return stored


def store_scores(
    tracker: Tracker,
    read: Sequence[MetricScores],
    owner: ScoreFile,
    *,
    replace: bool = False,
    elect: bool = False,
    **scored: Unpack[HowScored],
) -> list[StoredScores]:
    """Store scores that were read, those of sentences and of systems by one metric together."""
    import pyarrow as pa

    from ...ingest.scores import first_runs_meant, sentence_rows, submission_rows
    from ...queries.catalog import install
    from ...queries.metrics.external import ExternalScoring, store_external

    stated = {**scored, "input": scored.get("reference")}
    stated.pop("reference", None)
    stated_values = {name: value for name, value in stated.items() if value is not None}
    alike: dict[tuple[str, str | None], list[MetricScores]] = {}
    for scores in read:
        alike.setdefault((scores.label, scores.input), []).append(scores)
    stored = []
    for (label, _), of in alike.items():
        of_files: dict[str, Any] = {}
        for scores in of:
            names = ("input", "version", "settings", "better")
            of_files |= {
                name: getattr(scores, name) for name in names if getattr(scores, name) is not None
            }
        sentences = [
            sentence_rows(tracker.database, scores, owner)
            for scores in of
            if scores.level == "sentence"
        ]
        whole = [
            submission_rows(tracker.database, scores, owner)
            for scores in of
            if scores.level != "sentence"
        ]
        became = store_external(
            tracker.database,
            ExternalScoring(label=label, **{**of_files, **stated_values}),
            pa.concat_tables(sentences) if sentences else None,
            pa.concat_tables(whole) if whole else None,
            source=", ".join(dict.fromkeys(Path(scores.source).name for scores in of)),
            replace=replace,
            elect=elect,
        )
        if owner.submission_id is None:
            systems = (name for scores in of for name in scores.systems)
            meant = {
                name
                for rows in (*sentences, *whole)
                for name in rows["submission_id"].unique().to_pylist()
            }
            notes = first_runs_meant(tracker.database, systems, meant)
            became = with_values(became, notes=notes)
        stored.append(became)
    install(tracker.database)
    return stored
