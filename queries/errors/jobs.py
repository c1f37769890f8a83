"""How analyses of submissions run, batch by batch, each all or nothing, and what they measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import pyarrow as pa

from ...schema import TOOL_VERSION
from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.engine import one_thread
from ...schema.iterations import resolve_submissions
from ...schema.names import check_names
from ...schema.progress import Progress, silent
from ...schema.statements import read_rows, read_tuples, statement
from ...schema.temporary import hold, lent, rows_of, temporary
from ..analyses import label_attributes
from ..catalog import install
from ..metrics import metrics
from ..metrics.registry import (
    OF_LETTERS,
    OF_WORDS,
    WITHOUT_BLANKS,
    tabled_metrics,
    usual_metrics,
)
from ..metrics.signatures import short_hash


@dataclass(frozen=True)
class Analysis:
    """A statistical analysis of submissions.

    ``compute`` reads the temporary table ``pending_analysis`` (submission_id, treebank_id,
    signature_id) and the temporary view ``analysed_score`` (submission_id, sentence_no, measure,
    score: metrics, and human criteria with the ending _z) and stores its rows in ``tables``.
    """

    name: str
    settings: str
    """What tells analyses of this name apart, as key:value|key:value."""
    version: str
    tables: Sequence[str]
    compute: Callable[[Database], None]
    metrics: Sequence[str] | None = None
    """The metrics it rests on; None for all there are."""
    prepare: Callable[[Database, Sequence[str], Progress], None] | None = None
    """Completes what the analysis needs of these treebanks, in transactions of its own."""
    submissions_at_once: int = 25


@dataclass(frozen=True, repr=False)
class AnalysisReport(Brief):
    """What analysing did."""

    submissions: int
    analyses: int
    unscored: Sequence[str] = ()
    """Submissions that have no score to analyse: they are passed over."""


@dataclass(frozen=True)
class Pending:
    """A submission that an analysis is missing for."""

    submission_id: str
    treebank_id: str
    signature: str
    data_sha256: str

    @property
    def signature_id(self) -> str:
        """The short hash of the signature."""
        return short_hash(self.signature)


def run_analyses(
    database: Database,
    analyses: Sequence[Analysis],
    *,
    submissions: Sequence[str] | None = None,
    progress: Progress = silent,
) -> AnalysisReport:
    """Run the analyses that are missing or rest on other data now; return how many those were.

    Submissions without any score are left out. What is complete stays, so an interrupted run goes
    on where it was. Raises UnknownNameError for submissions that do not exist.
    """
    install(database)
    chosen = resolve_submissions(database, submissions)
    missing = _missing(database, analyses, chosen)
    total = sum(len(pending) for _, pending in missing)
    done = 0
    with one_thread(database):
        for analysis, pending in missing:
            if pending and analysis.prepare:
                treebanks = list(dict.fromkeys(job.treebank_id for job in pending))
                analysis.prepare(database, treebanks, progress)
            for start in range(0, len(pending), analysis.submissions_at_once):
                batch = pending[start : start + analysis.submissions_at_once]
                database.give_way()
                progress(f"{analysis.name} {batch[0].submission_id}", done, total)
                _run_batch(database, analysis, batch)
                done += len(batch)
    if total:
        progress("analysed", total, total)
    touched = {job.submission_id for _, pending in missing for job in pending}
    unscored = read_tuples(database, "unscored", submissions=chosen)
    return AnalysisReport(len(touched), total, tuple(name for (name,) in unscored))


def pending_submissions(
    database: Database, analyses: Sequence[Analysis], submissions: Sequence[str] | None = None
) -> list[str]:
    """Return the submissions that some of the analyses are missing for."""
    missing = _missing(database, analyses, resolve_submissions(database, submissions))
    return list(dict.fromkeys(job.submission_id for _, pending in missing for job in pending))


def _missing(
    database: Database, analyses: Sequence[Analysis], submissions: Sequence[str] | None
) -> list[tuple[Analysis, list[Pending]]]:
    """Return each analysis with the submissions that it is missing for."""
    execute = database.connection.execute
    complete = set(
        execute(
            "SELECT analysis, submission_id, signature_id, data_sha256 FROM analysis"
        ).fetchall()
    )

    @cache
    def inputs(metrics: tuple[str, ...] | None) -> list[tuple[str, str, str, str]]:
        metric_list = None if metrics is None else list(metrics)
        return execute(statement("analysis_inputs"), {"metrics": metric_list}).fetchall()

    missing = []
    for analysis in analyses:
        pending = []
        for submission_id, treebank_id, scores, data_sha256 in inputs(
            None if analysis.metrics is None else tuple(analysis.metrics)
        ):
            if submissions is not None and submission_id not in submissions:
                continue
            of_scores = short_hash(scores)
            parts = (
                analysis.name,
                analysis.settings,
                f"version:{analysis.version}",
                f"scores:{of_scores}",
            )
            job = Pending(submission_id, treebank_id, "|".join(parts), data_sha256)
            if (analysis.name, submission_id, job.signature_id, data_sha256) not in complete:
                pending.append(job)
        missing.append((analysis, pending))
    return missing


def _run_batch(database: Database, analysis: Analysis, batch: Sequence[Pending]) -> None:
    connection = database.connection
    rows = [{**asdict(job), "signature_id": job.signature_id} for job in batch]
    with database.transaction(), temporary(database):
        hold(database, "pending_analysis", pa.Table.from_pylist(rows))
        for table in (*analysis.tables, "analysis"):
            connection.execute(
                f"DELETE FROM {table} WHERE (signature_id, submission_id) IN "  # noqa: S608
                "(SELECT (signature_id, submission_id) FROM pending_analysis)"
            )
        connection.execute(statement("analysed_score"))
        analysis.compute(database)
        connection.execute(
            "INSERT INTO analysis SELECT signature_id, submission_id, ?, ?, signature, "
            "data_sha256, ?, now(), next_revision() FROM pending_analysis",
            [analysis.name, analysis.settings, TOOL_VERSION],
        )


def store_rows(
    database: Database, table: str, rows: pa.Table | Sequence[Mapping[str, Any]]
) -> None:
    """Store rows of the submissions at hand, each under the signature of its analysis.

    ``rows`` has the columns of ``table`` without signature_id, in any order.
    """
    if not len(rows):
        return
    analysed = rows_of(database, table, rows) if isinstance(rows, Sequence) else rows
    with lent(database, analysed_rows=analysed):
        database.connection.execute(
            f"INSERT INTO {table} BY NAME "  # noqa: S608
            "SELECT signature_id, analysed_rows.* FROM analysed_rows "
            "JOIN pending_analysis USING (submission_id) ORDER BY ALL"
        )


STANDARD = "standard"
CONVENTIONS = (STANDARD, "tacl2021")
COMPLEXITIES = ("depth", "length", "mdd", "mfs", "mfw", "arity")
CRITERIA = ("adequacy_z", "fluency_z")
"""The paper's human scores, where people judged."""
CORRELATED = ("bleu", "nist", "dist", "dea", *COMPLEXITIES)
"""The ten measures of Shimorina et al. 2021: their 45 pairs are corrected together."""
CHOSEN, EXPLORATORY = "asked", "exploratory"
"""Families of correlations: of what was asked for, and of each other pair alone."""


def derived_metrics() -> list[str]:
    """Return the metrics derived from another one's counts: they say the same of a sentence."""
    return [metric.name for metric in metrics().values() if metric.statistics_of]


def check_metric(database: Database, name: str) -> None:
    """Raise UnknownNameError for what outputs are not measured by.

    They are by metrics, human scores (adequacy_z) and marked errors (mqm_errors[major]).
    """
    if name not in metrics():
        rows = read_tuples(database, "known_measures")
        check_names("metric", [name], {*metrics(), *(name_there for (name_there,) in rows)})


def sentence_metrics(
    database: Database,
    submissions: Sequence[str] | None = None,
    *,
    campaign: str | None = None,
    treebank: str | None = None,
    system: str | None = None,
) -> list[str]:
    """Return the metrics that some submissions are scored by: those of a campaign, or others.

    The first is what sentences are shown by unless another is asked for: the one that was chosen as
    primary; else the one that most of the submissions have, BLEU where they have it or where
    nothing is scored, chrf of raw text of languages without blanks.
    """
    usual = usual_metrics()
    rows = read_rows(
        database,
        "sentence_metrics",
        submissions=None if submissions is None else [*submissions],
        campaign=campaign,
        treebank=treebank,
        system=system,
        metrics=[*usual, *(metric.name for metric in tabled_metrics() if metric.name not in usual)],
        without_blanks=sorted(WITHOUT_BLANKS),
        of_words=[*OF_WORDS],
        of_letters=OF_LETTERS,
    )
    return [row["metric"] for row in rows] or usual[:1]


def usual_metrics_of(
    database: Database, submissions: Sequence[str] | None = None, *, campaign: str | None = None
) -> list[str]:
    """Return ``usual_metrics``, the first being the first of ``sentence_metrics``."""
    first = sentence_metrics(database, submissions, campaign=campaign)[0]
    return sorted(usual_metrics(), key=lambda metric: metric != first)


def check_mining(database: Database, labels: str, metric: str) -> None:
    """Raise UnknownNameError for labels or a metric that errors cannot be mined by."""
    label_attributes(labels)
    check_metric(database, metric)
