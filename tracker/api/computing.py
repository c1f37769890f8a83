"""Scoring, analysing and testing, what people say, and what papers print, made anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Unpack

from ...schema.errors import InputError
from ...schema.parameters import Campaign, DryRun, Elect, Measure, Option, Scheduler, Treebank
from ...schema.progress import Progress, silent
from ...schema.statements import quoted
from ...schema.themes import folders, members, module
from .methods import Fields, Filters, WhoCounts, settings_of

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.change.significance import Settings as SignificanceSettings
    from ...queries.change.significance import SignificanceReport
    from ...queries.change.versions.rescoring import RescoreReport
    from ...queries.errors import Settings
    from ...queries.errors.jobs import AnalysisReport
    from ...queries.metrics.scoring import ScoreReport
    from ...queries.people import HumanReport
    from ...queries.people.human_scores import HumanSettings
    from ..papers import Reproduced
    from .tracker import Tracker


OnlyMetrics: TypeAlias = Annotated[
    Sequence[Measure] | None, Option("Only this metric.", flag="--metric")
]


def score(
    tracker: Tracker,
    *,
    submissions: Sequence[str] | None = None,
    metrics: OnlyMetrics = None,
    references: Annotated[
        Literal["all", "first"] | None,
        Option(
            "For test sets with several references, use all or only the first.",
            default="what each has chosen, else all",
        ),
    ] = None,
    elect: Elect = False,
    scheduler: Scheduler = None,
    progress: Progress = silent,
    **filters: Unpack[Filters],
) -> ScoreReport:
    """Compute the scores that are missing, then log the submissions to MLflow.

    Existing scores stay as they are; an interrupted run continues.

    Returns how many were missing, of ``submissions`` or those that pass all ``filters``; the
    command alone logs them. With a ``scheduler`` (local:4, Dask's tcp://…, ray://…) many processes
    compute, see ``tracker.lake.workers``; so do the other methods that take one.

    See ``queries.metrics.scoring.score``. Metrics on request (ROUGE, spBLEU) are computed where
    ``metrics`` names them, and from then on. Without ``metrics``, submissions to treebanks whose
    others were checked by grammar rules are checked as well (``queries.grammar.scoring``), and
    what has scores of meaning and form gets both in one (``queries.meaning.mf``). ``references``,
    all or first, is for test sets that have several; without it their choice decides. ``elect``
    lets these references be the score, and the versions of packages' metrics that are installed.

    >>> db.score(metrics=["bleu"]).scores
    0
    """
    from ...queries.metrics.scoring import ScoreReport, pending_submissions, score

    if any(filters.values()):
        submissions = tracker.select(**filters)
    work = None
    if scheduler is not None:
        work = module("tracker", "workers").by_many(
            tracker,
            scheduler,
            "score",
            lambda database: pending_submissions(database, submissions, metrics, references),
            progress=progress,
            metrics=metrics,
            references=references,
        )
    with tracker.writing() as database:
        report = score(
            database,
            submissions=submissions,
            metric_names=metrics,
            references=references,
            elect=elect,
            progress=progress,
        )
        if metrics is None:
            for score_pending in members("queries", "metrics", "score_pending"):
                score_pending(database, submissions, progress=progress)
            for score_composed in members("queries", "metrics", "score_composed"):
                score_composed(database, submissions)
    if work is None:
        return report
    scores = work.rows.get("scoring", 0)
    return ScoreReport(work.treebanks, work.submissions, scores, report.beside)


def analyse(
    tracker: Tracker,
    settings: Settings | Fields | None = None,
    *,
    scheduler: Scheduler = None,
    progress: Progress = silent,
    **filters: Unpack[Filters],
) -> AnalysisReport:
    """Analyse what makes outputs bad: correlations, projectivity, word-order freedom, subtrees.

    Analyses of the same scores that exist already stay as they are. Results: 'tracker show
    measure_correlations', 'projectivity_effects', 'entropy_dea', 'suspicious_patterns',
    'pattern_coverage'; pictures: 'tracker why plot'; all: 'tracker report'. The command first
    scores what is not scored yet.

    Returns how many there are, of the submissions that pass all ``filters``, which are as in
    ``schema.iterations``. Raises UnknownNameError where none passes.

    >>> db.analyse({"labels": ["upos"], "quantile": 0.1}, system="ngram")
    AnalysisReport(submissions=6, analyses=24)
    """
    from ...queries.errors import Settings, analyses
    from ...queries.errors.jobs import (
        AnalysisReport,
        check_metric,
        pending_submissions,
        run_analyses,
    )

    chosen = settings_of(Settings, settings)
    if scheduler is None:
        with tracker.writing() as database:
            submissions = tracker.select(**filters)
            check_metric(database, chosen.metric)
            return run_analyses(
                database, analyses(chosen), submissions=submissions, progress=progress
            )
    done = module("tracker", "workers").by_many(
        tracker,
        scheduler,
        "analyse",
        lambda database: pending_submissions(database, analyses(chosen), tracker.select(**filters)),
        progress=progress,
        settings=chosen,
    )
    return AnalysisReport(done.submissions, done.rows.get("analysis", 0))


def human(
    tracker: Tracker,
    campaign: Annotated[Campaign | None, Option("Only this campaign.")] = None,
    settings: HumanSettings | Fields | None = None,
    *,
    progress: Progress = silent,
    **fields: Any,
) -> HumanReport:
    """Turn judgements into rankings: quality control, z-scores, agreement and tests.

    Results are stored with all annotators and with those who passed: 'tracker show
    human_leaderboard', 'annotators', 'agreement_of_annotators',
    'human_pairs', 'agreement_with_people'. The outputs' scores are those of the leaderboard.

    Returns whose judgements count, and notes; see ``queries.people.evaluate``. ``fields`` are those
    of ``settings``, see ``queries.people.human_scores.HumanSettings``.

    >>> db.human("SAMPLE25", threshold=0.1)
    HumanReport(campaigns=<1 CampaignReport>)
    """
    from ...queries.people import evaluate
    from ...queries.people.human_scores import HumanSettings

    chosen = settings_of(HumanSettings, settings, fields)
    return evaluate(tracker.database, campaign, chosen, progress)


def choose(
    tracker: Tracker,
    metric: Annotated[str | None, Option(argument=True)] = None,
    settings: Annotated[str | None, Option(argument=True)] = None,
    *,
    treebanks: Annotated[
        Sequence[Treebank], Option("Choose for this test set; else for all.", flag="--treebank")
    ] = (),
) -> pa.Table:
    """Choose the SETTINGS of a METRIC that are the score, or show which are.

    METRIC is grammar (which rule set), form (language model), smatch or s2match (parser of graphs),
    mf (which of these two is its meaning), references (all or first, for metrics that can use
    several), or a metric of a package or computed elsewhere (version, model, prompt). The first
    scoring over all sentences chooses; scores by other settings stand beside, and leaderboards,
    comparisons and gates do not read them. SETTINGS may be a part of the name.

    Returns rows of the view ``metric_settings``, which tells what ``metric`` may be. MF-scores
    follow. Raises InputError for a metric without settings.

    >>> scored = db.meaning.score({"parser": "hasty/1.0"}, treebank="en_meaning")
    >>> db.choose("smatch", "hasty")["is_chosen"].to_pylist()
    [True]
    """
    from ...queries.metrics.signatures import choose_settings
    from ...queries.reading import read_view
    from ...schema.names import resolve_treebank

    if metric is None:
        return tracker.show("metric_settings")
    if settings is None:
        raise InputError(
            f"no settings are named for '{metric}'",
            hint="'tracker keep choose' shows those there are",
        )
    with tracker.writing() as database:
        names = [resolve_treebank(database, name) for name in treebanks]
        choose_settings(database, metric, settings, names or None)
        for score_composed in members("queries", "metrics", "score_composed"):
            score_composed(database)
        return read_view(database, "metric_settings", where=f"metric = {quoted(metric)}")


def significance(
    tracker: Tracker,
    settings: SignificanceSettings | Fields | None = None,
    *,
    scheduler: Scheduler = None,
    progress: Progress = silent,
    **filters: Unpack[Filters],
) -> SignificanceReport:
    """Test which differences between scores are significant.

    Stores a bootstrap confidence interval of each score, and compares each two submissions to one
    treebank as 'tracker compare' does, by all metrics that both have. Results with the same
    settings stay as they are. Results: 'tracker show metric_intervals', 'tracker show verdicts' and
    'tracker show measure_changes'. The command first scores what is not scored yet, where the
    metric needs no rules, parser or model.

    Returns how many there are, see ``queries.change.significance``.

    >>> db.significance({"replicates": 100}, system="random")
    SignificanceReport(intervals=4, comparisons=0, barred=0)
    """
    from ...queries.change.significance import Settings, SignificanceReport, run_significance

    chosen = settings_of(Settings, settings)
    if scheduler is None:
        with tracker.writing() as database:
            return run_significance(database, tracker.select(**filters), chosen, progress)
    done = module("tracker", "workers").by_many(
        tracker,
        scheduler,
        "significance",
        lambda _: tracker.select(**filters),
        progress=progress,
        settings=chosen,
    )
    intervals, comparisons = (done.rows.get(table, 0) for table in ("score_interval", "comparison"))
    return SignificanceReport(intervals, comparisons)


def rescore(
    tracker: Tracker,
    *,
    metrics: Annotated[OnlyMetrics, Option("Only this metric; may be repeated.")] = None,
    analyses: Annotated[
        bool,
        Option("Run analyses that rest on other scores again.", flag="--analyses/--no-analyses"),
    ] = True,
    dry_run: Annotated[DryRun, Option("Show what is not up to date, and stop.")] = False,
    progress: Progress = silent,
    **filters: Unpack[Filters],
) -> RescoreReport:
    """Compute scores again that rest on other versions, settings or references.

    The old scores stay, under their own signature; everything shows the newest by the settings that
    are chosen, for a package's metric those of the installed version. Submissions and metrics that
    were never scored are left to 'tracker score'. Prints how the scores by each metric changed.
    'tracker keep prune' frees the old ones.

    Returns what was done, see ``queries.change.versions.rescoring``.

    >>> db.rescore(system="random").analyses
    0
    """
    from ...queries.change.versions.rescoring import RescoreReport, find_outdated, rescore

    if dry_run:
        with tracker.reading() as database:
            outdated = find_outdated(database, tracker.select(**filters), metrics)
        return RescoreReport(outdated, [], 0, [], tried=True)
    with tracker.writing() as database:
        return rescore(
            database,
            submissions=tracker.select(**filters),
            metric_names=metrics,
            analyses=analyses,
            progress=progress,
        )


PAPERS = tuple(
    sorted(
        {
            file.parent.name
            for folder in folders("tracker", "papers")
            for file in folder.glob("*/paper.toml")
        }
    )
)


def reproduce(
    tracker: Tracker,
    paper: Annotated[str, Option(choices=PAPERS)],
    *,
    tables: Annotated[
        Sequence[str],
        Option(
            "Only this table or figure, such as 2 or figure-2a; may be repeated.",
            flag="--table",
            default="all",
        ),
    ] = (),
    out: Annotated[Path | str | None, Option("Folder to write into.", path="folder")] = Path(
        "reproduced"
    ),
    counting: WhoCounts = "newest",
    inputs: Annotated[
        Mapping[str, str] | None,
        Option(
            "What a table needs beside what is loaded, such as a file; may be repeated.",
            flag="--with",
        ),
    ] = None,
    progress: Progress = silent,
    **filters: Unpack[Filters],
) -> list[Reproduced]:
    """Make the tables and figures of a PAPER from your data, beside the values that it prints.

    \b
    mf2021       Opitz and Frank 2021, meaning and form of texts from meaning graphs
    pratapa2021  Pratapa et al. 2021, L'AMBRE, how well-formed texts are
    tacl2021     Shimorina et al. 2021, the error analysis of surface realisation
    sr18         Mille et al. 2018, the overview of the first multilingual shared task

    What is missing is computed with the paper's settings, in a copy: the database stays as it is.
    A table is written as Markdown, LaTeX and CSV, a figure as PNG and Vega-Lite; README.md in the
    folder of the paper's name shows all, with what is equal to the paper, what differs and why. A
    table that is not made says what it needs.

    Returns a Reproduced for each, with its rows and the published values that can be compared;
    nothing is written without ``out``. Raises UnknownNameError for a table or an input that
    the paper lacks.

    >>> (sizes,) = db.reproduce("sr18", tables=["2"], out=None, treebank="en_sample-ud1.0-test")
    >>> sizes.rows.to_pylist()[0]["sentences"]
    120
    """  # noqa: D301
    from ..papers import reproduce
    from ..papers.parts import papers

    return reproduce(
        tracker,
        papers()[paper],
        [f"table-{name}" if name.isdecimal() else name for name in tables],
        {name: value for name, value in filters.items() if value},
        None if out is None else Path(out),
        counting,
        inputs,
        progress,
    )
