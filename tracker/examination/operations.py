"""What people say against metrics, and what they judge next: in Python and as commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Unpack

from ...schema.parameters import Campaign, Criterion, Measure, Option, Replace, Treebank
from ...schema.progress import Progress, silent
from ..api.loading import analyse_loaded
from ..api.methods import Fields, Filters, reads, settings_of, writes

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.examination.examining import Examination, ExaminationSettings
    from ...queries.examination.metric_evaluation import MetricReport, MetricSettings
    from ...queries.examination.planning.comparing import ItemPlan, ItemSettings
    from ...queries.examination.planning.power import PowerPlan, PowerSettings
    from ...queries.examination.planning.stopping import StopPlan, StopSettings
    from ...queries.examination.sampling import JudgingPlan
    from ..api.tracker import Tracker
    from .wmt import WmtReport

OfCampaign: TypeAlias = Annotated[
    Campaign | None, Option("The campaign, where people judged several.")
]
OfTreebank: TypeAlias = Annotated[
    Treebank | None, Option("The test set, where people judged several.")
]
OfCriterion: TypeAlias = Annotated[str | None, Option("Criterion, where people judged several.")]
RankedBy: TypeAlias = Annotated[
    Literal["z", "raw"],
    Option("Which scores to use: standardised by annotator, or raw.", flag="--rank-by"),
]


def plan_power(
    tracker: Tracker,
    settings: PowerSettings | Fields | None = None,
    *,
    campaign: OfCampaign = None,
    treebank: OfTreebank = None,
    criterion: OfCriterion = None,
    ranked_by: RankedBy = "z",
    progress: Progress = silent,
    **fields: Any,
) -> PowerPlan:
    """Estimate how many sentences and annotators distinguish two systems.

    The power is simulated from stored judgements and shown beside its closed form.

    Returns a PowerPlan. ``fields`` are those of ``settings``, see
    ``queries.examination.planning.power.PowerSettings``.

    >>> sizes = {"difference": 10, "items": [50], "annotators": [1], "replicates": 100}
    >>> test_set = {"campaign": "SAMPLE25", "treebank": "en_sample-ud1.0-test"}
    >>> plan = db.plan_power(sizes, **test_set, criterion="fluency", ranked_by="raw")
    >>> round(plan.rows[0].expected, 2)
    0.75
    """
    from ...queries.examination.planning import Planned
    from ...queries.examination.planning.power import PowerSettings, plan_power

    planned = Planned(campaign, treebank, criterion, ranked_by)
    chosen = settings_of(PowerSettings, settings, fields)
    return plan_power(tracker.database, planned, chosen, progress)


def plan_items(
    tracker: Tracker,
    settings: ItemSettings | Fields | None = None,
    *,
    campaign: OfCampaign = None,
    treebank: OfTreebank = None,
    criterion: OfCriterion = None,
    ranked_by: RankedBy = "z",
    progress: Progress = silent,
    **fields: Any,
) -> ItemPlan:
    """Compare ways of choosing sentences by whether they give the ranking that all of them give.

    Sentences are chosen by the variance of metrics over systems, by their disagreement, by the
    coverage of patterns and complexity, or at random. 'tracker examination sample-judging --by'
    uses the same ways.

    Returns an ItemPlan. ``fields`` are those of ``settings``, see
    ``queries.examination.planning.comparing.ItemSettings``.

    >>> test_set = {"campaign": "SAMPLE25", "treebank": "en_sample-ud1.0-test"}
    >>> plan = db.plan_items(**test_set, criterion="fluency", items=[20], replicates=10)
    >>> len(plan.rows)  # one for each way of choosing them
    4
    """
    from ...queries.examination.planning import Planned
    from ...queries.examination.planning.comparing import ItemSettings, plan_items

    planned = Planned(campaign, treebank, criterion, ranked_by)
    chosen = settings_of(ItemSettings, settings, fields)
    return plan_items(tracker.database, planned, chosen, progress)


def plan_stopping(
    tracker: Tracker,
    settings: StopSettings | Fields | None = None,
    *,
    campaign: OfCampaign = None,
    treebank: OfTreebank = None,
    criterion: OfCriterion = None,
    ranked_by: RankedBy = "z",
    progress: Progress = silent,
    **fields: Any,
) -> StopPlan:
    """Estimate how likely the ranking and its clusters stay the same if people judge more.

    Returns a StopPlan. ``fields`` are those of ``settings``, see
    ``queries.examination.planning.stopping.StopSettings``.

    >>> test_set = {"campaign": "SAMPLE25", "treebank": "en_sample-ud1.0-test"}
    >>> db.plan_stopping(**test_set, criterion="fluency").clusters
    2
    """
    from ...queries.examination.planning import Planned
    from ...queries.examination.planning.stopping import StopSettings, plan_stopping

    planned = Planned(campaign, treebank, criterion, ranked_by)
    chosen = settings_of(StopSettings, settings, fields)
    return plan_stopping(tracker.database, planned, chosen, progress)


def metrics(
    tracker: Tracker,
    *,
    campaign: Annotated[Campaign | None, Option("Only this campaign.")] = None,
    treebank: Annotated[Treebank | None, Option("Only this treebank.")] = None,
    criterion: Criterion | None = None,
    settings: MetricSettings | Fields | None = None,
    progress: Progress = silent,
    **fields: Any,
) -> MetricReport:
    """Compare metrics with people, as WMT's metrics tasks do.

    Outputs: pairwise accuracy with calibrated ties, Kendall's tau-b, Pearson's r. Systems: soft and
    plain pairwise accuracy, Pearson's r with and without outliers. A cluster ends before the first
    metric that one in it is significantly better than, corrected for all pairs. Results are
    stored: 'tracker show metric_leaderboard', 'metric_pairs'.

    Returns how many there are. ``fields`` are those of ``settings``, see
    ``queries.examination.metric_evaluation.MetricSettings``.

    >>> db.metrics(campaign="SAMPLE25", replicates=100).evaluations
    56
    """
    from ...queries.examination.metric_evaluation import MetricSettings, evaluate_metrics
    from ...schema.names import resolve_name, resolve_treebank

    database = tracker.database
    return evaluate_metrics(
        database,
        campaigns=[resolve_name(database, "campaign", campaign)] if campaign else None,
        treebanks=[resolve_treebank(database, treebank)] if treebank else None,
        criterion=criterion,
        settings=settings_of(MetricSettings, settings, fields),
        progress=progress,
    )


def examine(
    tracker: Tracker,
    metric: Measure,
    *,
    campaign: Annotated[Campaign | None, Option("Only this campaign.")] = None,
    treebank: Annotated[Treebank | None, Option("Only this treebank.")] = None,
    criterion: Criterion | None = None,
    settings: ExaminationSettings | Fields | None = None,
    progress: Progress = silent,
    **fields: Any,
) -> Examination:
    """Examine a METRIC, or a model that judges, against people's scores of the same outputs.

    The result shows where the metric agrees with people, by language, criterion, length,
    complexity, domain and system; which systems it favours, against the line from people's means of
    all systems to its own, and whether its own family is among them (--own, --own-tag); whether it
    favours long outputs; what its scores mean to people; whether a further run gives the same
    scores (--repeat); and on which relations errors cost less by the metric than by people.

    Returns an Examination. ``fields`` are those of ``settings``, see
    ``queries.examination.examining.ExaminationSettings``.

    >>> db.examine("bleu", campaign="SAMPLE25", replicates=100).systems.num_rows
    12
    """
    from ...queries.examination.examining import ExaminationSettings
    from ...queries.examination.examining.examine import examine as examined
    from ...schema.names import resolve_name, resolve_treebank

    database = tracker.database
    return examined(
        database,
        metric,
        campaigns=[resolve_name(database, "campaign", campaign)] if campaign else None,
        treebanks=[resolve_treebank(database, treebank)] if treebank else None,
        criterion=criterion,
        settings=settings_of(ExaminationSettings, settings, fields),
        progress=progress,
    )


def errors(
    tracker: Tracker,
    by: Annotated[
        str | None,
        Option(
            "Show only this table: errors by who made them, by their kind, or "
            "by what they fall on.",
            flag="--by",
            choices=(
                *("system", "submission", "campaign", "severity", "category"),
                *("relation", "pattern", "accuracy", "metric"),
            ),
            default="all in text and pages, else system",
        ),
    ] = None,
    *,
    criterion: Criterion | None = None,
    trees: Annotated[
        Treebank | None,
        Option(
            "Use the relations of this treebank with the same sentences, such as parsed sources."
        ),
    ] = None,
    **filters: Unpack[Filters],
) -> pa.Table:
    """Show the errors that annotators marked (MQM, ESA), where they are, and who misses them.

    Per 100 words by severity; relations of marked words against others; whether edges are found
    less often near marks; patterns of outputs with errors, mined by 'tracker analyse --metric
    mqm_errors[critical]'; how often metrics score an output with a grave error no lower than one
    without.

    Returns a row for each system, or whatever they are told by, see
    ``queries.examination.marked_errors``.

    >>> whose = {"campaign": "SAMPLE25", "treebank_id": "en_sample-ud1.0-test"}
    >>> marked = db.ingest_judgements("mqm.tsv", layout="mqm", **whose)
    >>> db.errors("severity").num_rows
    1
    """
    from ...queries.examination.marked_errors import marked_errors

    submissions = tracker.select(**filters)
    return marked_errors(
        tracker.database, submissions, by or "system", criterion=criterion, trees=trees
    )


def sample_judging(
    tracker: Tracker,
    campaign: str,
    treebank: str,
    folder: Path | str,
    plan: JudgingPlan | Fields | None = None,
    *,
    format_name: str = "csv",
    replace: bool = False,
) -> tuple[Path, Path]:
    """Draw outputs for people to judge; return the files of the HITs and of their key.

    ``tracker.examination.judging.join_answers`` joins what people answer with the key.

    >>> db.sample_judging("SAMPLE25", "en_sample-ud1.0-test", "hits", {"sentences": 20})
    (PosixPath('hits/hits.csv'), PosixPath('hits/key.csv'))
    """
    from ...queries.examination.sampling import JudgingPlan, draw_sample
    from .judging import write_sample

    sample = draw_sample(tracker.database, campaign, treebank, settings_of(JudgingPlan, plan))
    return write_sample(sample, Path(folder), format_name=format_name, replace=replace)


def sample_spans(
    tracker: Tracker,
    campaign: str,
    treebank: str,
    folder: Path | str,
    plan: JudgingPlan | Fields | None = None,
    *,
    platform: str,
    protocol: str = "esa",
    language_pair: str | None = None,
    replace: bool = False,
) -> list[Path]:
    """Write a campaign for Appraise or Pearmut in which annotators mark errors; return its files.

    See ``tracker.examination.judging.write_campaign``.

    >>> db.sample_spans("SAMPLE25", "en_sample-ud1.0-test", "spans", platform="pearmut")
    [PosixPath('spans/campaign.json')]
    """
    from ...queries.examination.sampling import JudgingPlan, draw_batches
    from .judging import write_campaign

    drawn = draw_batches(tracker.database, campaign, treebank, settings_of(JudgingPlan, plan))
    return write_campaign(
        drawn,
        Path(folder),
        platform=platform,
        name=campaign,
        protocol=protocol,
        language_pair=language_pair,
        replace=replace,
    )


def ingest_wmt(
    tracker: Tracker,
    path: Annotated[Path | str, Option(metavar="PATH")],
    pair: Annotated[str, Option("Languages from and to.", flag="--pair", metavar="en-de")],
    *,
    campaign: Annotated[
        Campaign | None, Option("Campaign; else the name of the folder or file, in capitals.")
    ] = None,
    year: Annotated[int | None, Option("Year of the campaign.", low=1900, high=2999)] = None,
    reference: Annotated[
        str | None, Option("Reference that outputs are compared with; else the first.")
    ] = None,
    replace: Replace = False,
    progress: Progress = silent,
) -> WmtReport:
    """Load a language pair of WMT: a folder as mt-metrics-eval's, or a file as WMT25's.

    Sources, references, documents, all systems' outputs, people's and metrics' scores are loaded;
    missing parts are skipped. The file (JSON lines or Parquet) is that of the human evaluation,
    such as wmt25-genmt-humeval.jsonl.

    Returns what it did, all or nothing. See docs/external-scores.md.

    >>> db.ingest_wmt("wmt24", "he-en").sentences
    3
    """
    from .wmt import ingest_wmt

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


class Methods:
    """What a Tracker has of people's judgements against metrics, and of what to judge."""

    ingest_wmt = writes(ingest_wmt)
    plan_power = reads(plan_power)
    plan_items = reads(plan_items)
    plan_stopping = reads(plan_stopping)
    metrics = writes(metrics)
    examine = reads(examine)
    errors = reads(errors)
    sample_judging = reads(sample_judging)
    sample_spans = reads(sample_spans)
