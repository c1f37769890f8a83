"""Rescoring: what was scored otherwise before is scored as it would be today; old scores stay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ....schema.brief import Brief, plural
from ....schema.database import Database
from ....schema.errors import TrackerError
from ....schema.iterations import list_submissions
from ....schema.progress import Progress, silent
from ....schema.statements import read_tuples
from ...catalog import install
from ...errors.correlations import correlation, entropy, projectivity
from ...errors.jobs import Analysis, run_analyses
from ...errors.mining import error_mining
from ...metrics import metric_named, signature_of
from ...metrics.registry import scorable_metric, scorable_metrics
from ...metrics.scoring import score
from ...metrics.signatures import several_references, source_hashes

_MEANING = {
    "level": "text level",
    "tok": "tokeniser",
    "treebank": "treebank",
    "data": "references",
    "metric-version": "version of the metric",
    "sources-version": "sources",
    "references": "references per sentence",
}


@dataclass(frozen=True)
class Outdated:
    """A metric of a submission with another signature than today's."""

    submission_id: str
    metric: str
    old_signature_id: str
    old_signature: str
    new_signature_id: str
    new_signature: str

    @property
    def difference(self) -> str:
        """What differs between both signatures, in words."""
        old, new = (_parts(text) for text in (self.old_signature, self.new_signature))
        return ", ".join(
            f"{_meaning(key)}: {old.get(key, 'none')} → {new.get(key, 'none')}"
            for key in [*old, *(key for key in new if key not in old)]
            if old.get(key) != new.get(key)
        )


def find_outdated(
    database: Database,
    submissions: Sequence[str] | None = None,
    metric_names: Sequence[str] | None = None,
) -> list[Outdated]:
    """Return the scores whose newest signature is not today's, by metric and submission.

    Metrics that are not installed any more, or lack what they need, are left out. Raises
    UnknownNameError for submissions and metrics that do not exist.
    """
    chosen = scorable_metrics() if metric_names is None else map(scorable_metric, metric_names)
    wanted = {metric.name for metric in chosen if metric.is_ready}
    rows = read_tuples(
        database, "newest_scorings", submissions=list_submissions(database, submissions)
    )
    several, sources = several_references(database), source_hashes(database, submissions)
    outdated = []
    for submission_id, metric, signature_id, signature, treebank_id, data, parsed, *how in rows:
        if metric not in wanted:
            continue
        form, analysis = how
        today = signature_of(
            metric_named(metric),
            treebank_id=treebank_id,
            data_sha256=data,
            reference_form=form,
            analysis=analysis,
            several=several.get(treebank_id),
            parsed=parsed,
            sources=sources.get(treebank_id),
        )
        if today.signature_id != signature_id:
            outdated.append(
                Outdated(
                    submission_id,
                    metric,
                    signature_id,
                    signature,
                    today.signature_id,
                    today.signature,
                )
            )
    return outdated


def _parts(signature: str) -> dict[str, str]:
    """Return what a signature states by its keys, the metric's name left out."""
    return dict(part.partition(":")[::2] for part in signature.split("|")[1:])


def _meaning(key: str) -> str:
    if key in _MEANING:
        return _MEANING[key]
    return f"version of {key.removesuffix('-version')}" if key.endswith("-version") else key


@dataclass(frozen=True)
class ScoreChange:
    """How the scores by one metric changed."""

    metric: str
    submissions: int
    """Submissions that were rescored."""
    changed: int
    """Those whose score is another one now."""
    submission_id: str
    """The one that changed most."""
    old_score: float | None
    new_score: float | None


@dataclass(frozen=True, repr=False)
class RescoreReport(Brief):
    """What rescoring did."""

    outdated: Sequence[Outdated]
    changes: Sequence[ScoreChange]
    analyses: int
    """Analyses that were run again."""
    left: Sequence[str]
    """What rests on older scores still, and what renews it."""
    tried: bool = False
    """Whether this is only what there is to do."""


def rescore(
    database: Database,
    *,
    submissions: Sequence[str] | None = None,
    metric_names: Sequence[str] | None = None,
    analyses: bool = True,
    progress: Progress = silent,
) -> RescoreReport:
    """Bring scores and analyses that are there up to date; tell how the scores changed.

    What was never scored stays unscored: ``queries.metrics.scoring.score`` does the work, for the
    submissions and metrics whose newest signature is not today's. Scores that exist with today's
    signature but are older than others, as after going back to a former version of the tracker,
    become the newest again; of metrics of packages the version that is installed is chosen, where
    another was. ``analyses`` runs the analyses of the submissions that rest on other
    scores again, with the settings they were made with.

    Raises UnknownNameError for submissions and metrics that do not exist.
    """
    install(database)
    names = list_submissions(database, submissions)
    outdated = find_outdated(database, names, metric_names)
    _score(database, outdated, progress)
    _make_newest(database, outdated)
    done = _analyse(database, names, progress) if analyses else 0
    left = _left(database, names, outdated)
    return RescoreReport(outdated, _changes(database, outdated), done, left)


def _score(database: Database, outdated: Sequence[Outdated], progress: Progress) -> None:
    """Score, by what is outdated of them, the submissions together that lack the same metrics."""
    by_submission: dict[str, list[str]] = defaultdict(list)
    for item in outdated:
        by_submission[item.submission_id].append(item.metric)
    by_metrics: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for submission_id, lacking in by_submission.items():
        by_metrics[tuple(lacking)].append(submission_id)
    for metric_names, submissions in by_metrics.items():
        score(
            database,
            submissions=submissions,
            metric_names=metric_names,
            elect=True,
            progress=progress,
        )


def _make_newest(database: Database, outdated: Sequence[Outdated]) -> None:
    """Let today's signatures count as the newest where an older scoring has them."""
    again = find_outdated(database, sorted({item.submission_id for item in outdated}))
    wanted = {(item.submission_id, item.new_signature_id) for item in outdated}
    with database.transaction() as connection:
        for item in again:
            if (item.submission_id, item.new_signature_id) in wanted:
                connection.execute(
                    "UPDATE scoring SET scored_at = now(), revision = next_revision() "
                    "WHERE target = ? AND signature_id = ?",
                    [item.submission_id, item.new_signature_id],
                )


def _analyse(database: Database, submissions: Sequence[str], progress: Progress) -> int:
    """Run the analyses again that rest on other scores, each with its settings; return how many."""
    rows = database.connection.execute(
        "SELECT analysis, settings, list(submission_id ORDER BY submission_id) "
        "FROM current_analysis WHERE list_contains(?, submission_id) GROUP BY ALL ORDER BY ALL",
        [list(submissions)],
    ).fetchall()
    analyses = ((analysis_of(name, settings), analysed) for name, settings, analysed in rows)
    return sum(
        run_analyses(database, [analysis], submissions=analysed, progress=progress).analyses
        for analysis, analysed in analyses
        if analysis
    )


def _changes(database: Database, outdated: Sequence[Outdated]) -> list[ScoreChange]:
    if not outdated:
        return []
    rows = read_tuples(
        database,
        "score_changes",
        submissions=[item.submission_id for item in outdated],
        metrics=[item.metric for item in outdated],
        old=[item.old_signature_id for item in outdated],
        new=[item.new_signature_id for item in outdated],
    )
    return [ScoreChange(*row) for row in rows]


def _left(
    database: Database, submissions: Sequence[str], outdated: Sequence[Outdated]
) -> list[str]:
    """Return what rests on older scores and is not renewed here, and what renews it."""
    left = []
    ((tests,),) = read_tuples(database, "left_significance", submissions=list(submissions))
    if tests:
        left.append(
            f"significance of {plural(tests, 'score')}: 'tracker why significance' renews it"
        )
    campaigns = read_tuples(
        database,
        "left_agreements",
        submissions=[item.submission_id for item in outdated],
        metrics=[item.metric for item in outdated],
    )
    left += [
        f"agreement of metrics with people in {campaign_id}: 'tracker human' renews it"
        for (campaign_id,) in campaigns
    ]
    return left


def analysis_of(name: str, settings: str) -> Analysis | None:
    """Return the analysis that is stored under a name with these settings.

    None where this version of the tracker does not make it, or not with such settings.
    """
    chosen = dict(part.partition(":")[::2] for part in settings.split("|"))
    try:
        if name == "correlation":
            analysis = correlation(
                chosen["method"], chosen["convention"], chosen["family"].split(",")
            )
        elif name == "projectivity":
            analysis = projectivity(float(chosen["minimum_share"]), chosen["convention"])
        elif name == "entropy":
            analysis = entropy()
        elif name == "error_mining":
            analysis = _mining(chosen)
        else:
            return None
    except (KeyError, ValueError, TrackerError):
        return None
    return analysis if analysis.settings == settings else None


def _mining(chosen: dict[str, str]) -> Analysis:
    metric, _, limit = chosen["fail"].partition("<=")
    by_share = limit.startswith("q")
    return error_mining(
        labels=chosen["labels"],
        metric=metric,
        quantile=float(limit[1:]) if by_share else 0.25,
        threshold=None if by_share else float(limit),
        max_nodes=int(chosen["nodes"]),
        minimum_support=int(chosen["support"]),
    )
