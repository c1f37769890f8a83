"""Scoring by the metrics that need no choice of rules, parser or model: text, lemmas, edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.engine import one_thread
from ...schema.errors import check_choices
from ...schema.iterations import resolve_submissions
from ...schema.keys import NO_OUTPUTS, WITHOUT_WORDS
from ...schema.progress import Progress, silent
from ...schema.statements import read_tuples, statement
from ...schema.temporary import hold, temporary
from ..analyses import FUNCTIONS, analyse_treebanks, pending_treebanks
from ..catalog import install
from ..functions.sql_function import SqlFunction, later, register
from . import Metric, metric_named, signature_of
from .loop import Target, missing_targets, score_targets, signatures_of
from .metric import EDGES, EVERYWHERE, LEMMAS, PLAIN_TEXT, SOURCES, TEXT
from .registry import scorable_metric, scorable_metrics
from .signatures import (
    REFERENCES,
    choose_first,
    settle,
    several_references,
    source_hashes,
    uses_several,
)
from .slices import store_slices

OUTPUTS_PER_BATCH = 500_000
OUTPUTS_PER_THREAD = 122_880
"""DuckDB gives a thread no less: of fewer outputs a second one only waits, and busily."""
PAIRS = {  # statements by text level
    TEXT: ("plain_text", "single_reference", "one_reference", "text_pair", "text_reference"),
    LEMMAS: ("lemma_pair",),
    EDGES: ("lemma_pair",),
}
JOINED_LEMMAS = SqlFunction(
    "joined_lemmas",
    later("tree", "joined_lemmas"),
    ["VARCHAR[]", "VARCHAR[]", "INTEGER[]"],
    "VARCHAR",
)


@dataclass(frozen=True, kw_only=True)
class _Job(Target):
    """One metric to compute for one submission, or one further trial of it."""

    of_submission_id: str
    reference_form: str
    sentences: int
    undefined_reason: str | None
    """Why the submission can have no score by the metric; None where it can."""
    metric: Metric
    statistics_signature_id: str
    several: bool
    """Whether it is compared with several references."""

    @property
    def signature_id(self) -> str:
        """What its scores are stored under."""
        return self.signatures[self.metric.name].signature_id


@dataclass(frozen=True, repr=False)
class ScoreReport(Brief):
    """What scoring computed."""

    treebanks: int
    submissions: int
    scores: int
    beside: Mapping[str, str] = field(default_factory=dict)
    """By test set with other settings chosen, these: the scores stand beside the score."""


def score(
    database: Database,
    *,
    submissions: Sequence[str] | None = None,
    metric_names: Sequence[str] | None = None,
    references: str | None = None,
    elect: bool = False,
    progress: Progress = silent,
) -> ScoreReport:
    """Compute what is missing and return how much that was.

    Every treebank is analysed first. ``submissions`` and ``metric_names`` restrict what is
    computed. What is complete stays, so an interrupted run goes on where it was.

    ``references``, one of REFERENCES, says what metrics that can use several are given; without
    it the choice of each test set does, which is all until others are chosen. ``elect`` lets these
    references, and the versions of packages' metrics, be the score of the test sets.

    Raises UnknownNameError for submissions and metrics that do not exist, InputError for a metric
    that has a command of its own and for another choice of references.
    """
    if references is not None:
        check_choices(("choice of references", references, REFERENCES))
    install(database)
    treebanks = pending_treebanks(database)
    if treebanks:
        progress("treebanks", 0, 1)
        analyse_treebanks(database, treebanks)
    selected = _selected(database, metric_names)
    chosen = resolve_submissions(database, submissions)
    targets = list(_jobs(database, selected, chosen, references, named=metric_names is not None))
    jobs = missing_targets(database, targets)
    if jobs:
        functions = [function for metric in selected for function in metric.functions]
        database.set_up(
            lambda connection: register(connection, [*FUNCTIONS, JOINED_LEMMAS, *functions])
        )
    outputs = sum({job.submission_id: job.sentences for job in jobs}.values())
    few = outputs < OUTPUTS_PER_THREAD  # by all metrics at once: records take as long as scoring
    with one_thread(database) if few else nullcontext():
        score_targets(
            database,
            jobs,
            lambda batch, _: _store(database, batch),
            size=lambda job: job.sentences,
            limit=lambda job: min(
                OUTPUTS_PER_BATCH, job.metric.outputs_per_batch or OUTPUTS_PER_BATCH
            ),
            kind=lambda job: "" if few else job.metric.name,
            progress=progress,
        )
    if not jobs:
        store_slices(database, submissions)
    signatures = signatures_of(targets)
    if references is not None:  # that choose, though scores of before are all there are to compute
        with database.transaction():
            choose_first(database, signatures)
    beside = settle(database, signatures, elect=elect)
    return ScoreReport(
        len(treebanks), len({job.of_submission_id for job in jobs}), len(jobs), beside
    )


def pending_submissions(
    database: Database,
    submissions: Sequence[str] | None = None,
    metric_names: Sequence[str] | None = None,
    references: str | None = None,
) -> list[str]:
    """Return the submissions that ``score`` would score; raises what that does."""
    chosen = resolve_submissions(database, submissions)
    named = metric_names is not None
    jobs = _jobs(database, _selected(database, metric_names), chosen, references, named=named)
    missing = missing_targets(database, list(jobs))
    return list(dict.fromkeys(job.of_submission_id for job in missing))


def _selected(database: Database, names: Sequence[str] | None) -> list[Metric]:
    """Return the metrics to compute: a derived one needs the one it is derived from, first.

    Without names they are those that are scored without request, and those on request that the
    database has scores by, where what they need is there.
    """
    if names is None:
        rows = database.connection.execute("SELECT DISTINCT metric FROM scoring").fetchall()
        scored = {name for (name,) in rows}
        return [
            metric
            for metric in scorable_metrics()
            if not metric.on_request or (metric.name in scored and metric.is_ready)
        ]
    wanted = [scorable_metric(name) for name in names]
    bases = {metric.statistics_of for metric in wanted if metric.statistics_of}
    chosen = {metric.name for metric in wanted} | bases
    return [metric for metric in scorable_metrics() if metric.name in chosen]


def _jobs(
    database: Database,
    selected: Sequence[Metric],
    submissions: Sequence[str] | None,
    references: str | None,
    *,
    named: bool,
) -> Iterator[_Job]:
    """Yield what to compute; of metrics that are not ``named``, where they are by default."""
    several = several_references(database, references)
    sources = source_hashes(database, submissions)
    rows = read_tuples(database, "scorable_submissions")
    for metric in selected:
        for row in rows:
            submission_id, of, treebank_id, form, analysis, sha256, treebank, *facts = row
            sentences, parsed, hidden, scheme = facts
            sourced = treebank_id in sources
            wordless = scheme in WITHOUT_WORDS and not parsed
            if not named and not _is_default(metric, wordless=wordless, sourced=sourced):
                continue
            if submissions is not None and of not in submissions:
                continue
            names: dict[str, Any] = {
                "treebank_id": treebank_id,
                "data_sha256": treebank,
                "reference_form": form,
                "analysis": analysis,
                "several": several.get(treebank_id),
                "parsed": parsed,
                "sources": sources.get(treebank_id),
            }
            signature = statistics = signature_of(metric, **names)
            if metric.statistics_of:
                statistics = signature_of(metric_named(metric.statistics_of), **names)
            yield _Job(
                submission_id=submission_id,
                of_submission_id=of,
                treebank_id=treebank_id,
                reference_form=form,
                sentences=sentences,
                undefined_reason=_undefined_reason(
                    metric, analysis, hidden=hidden, wordless=wordless
                ),
                data_sha256=sha256,
                metric=metric,
                signatures={metric.name: signature},
                statistics_signature_id=statistics.signature_id,
                several=treebank_id in several and uses_several(metric, form),
            )


def _is_default(metric: Metric, *, wordless: bool, sourced: bool) -> bool:
    where = [EVERYWHERE, *([PLAIN_TEXT] if wordless else [])]
    return metric.default in [*where, *([SOURCES] if wordless and sourced else [])]


def _undefined_reason(metric: Metric, analysis: str, *, hidden: bool, wordless: bool) -> str | None:
    if hidden:
        return "the text of the treebank is hidden"
    if analysis == NO_OUTPUTS:
        return "the outputs are not loaded"
    if wordless and metric.text_level != TEXT:
        return "the references are text without words"
    return None


def _store(database: Database, jobs: Sequence[_Job]) -> None:
    """Compute metrics for some submissions, one metric after the other."""
    execute = database.connection.execute
    alike: dict[tuple[str, str, bool], list[_Job]] = {}
    for job in jobs:
        script = job.metric.several if job.several else job.metric.statement
        script = statement("score_undefined") if job.undefined_reason else script
        alike.setdefault((job.metric.name, script, job.several), []).append(job)
    made: set[str] = set()
    with temporary(database):
        for (_, script, several), some in alike.items():
            hold(database, "pending", _pending(some))
            for name in PAIRS.get(some[0].metric.text_level, ()):
                if name not in made:
                    execute(statement(name))
                    made.add(name)
            if several:
                execute(statement("all_references"))
            execute(script)
            if several:
                execute(statement("one_reference"))
    execute("DROP MACRO IF EXISTS temp.plain_text")


def _pending(jobs: Sequence[_Job]) -> pa.Table:
    """Return jobs as scripts of metrics read them."""
    orders = [job.metric.parameters.get("order") for job in jobs]
    columns = {
        "submission_id": [job.submission_id for job in jobs],
        "treebank_id": [job.treebank_id for job in jobs],
        "reference_form": [job.reference_form for job in jobs],
        "signature_id": [job.signature_id for job in jobs],
        "statistics_signature_id": [job.statistics_signature_id for job in jobs],
        "metric": [job.metric.name for job in jobs],
        "ngram_order": pa.array(orders, pa.int32()),
        "undefined_reason": pa.array([job.undefined_reason for job in jobs], pa.string()),
    }
    return pa.table(columns)
