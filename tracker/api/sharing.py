"""Pictures, pages, files, MLflow, and outputs for people to judge."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

from ...queries.counting import Counting
from ...schema.address import LakeAddress
from ...schema.database import WAIT_SECONDS
from ...schema.errors import InputError
from ...schema.iterations import resolve_submission
from ...schema.parameters import Measure, Option, TrackingUri
from ...schema.progress import Progress, silent
from ...schema.selection import as_names
from ...schema.sharing import SharedDatabase
from .given import Fields, Filters, named, settings_of

if TYPE_CHECKING:
    from ...queries.examination.sampling import JudgingPlan
    from ..experiments import LogReport
    from ..experiments.promotion import Promotion
    from ..experiments.syncing import SyncReport
    from ..pages.report import Written
    from ..show.charts.selected import Choice as ChartChoice
    from . import Tracker


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

    ``tracker.judging.join_answers`` joins what people answer with the key.

    >>> db.sample_judging("SAMPLE25", "en_sample-ud1.0-test", "hits", {"sentences": 20})
    (PosixPath('hits/hits.csv'), PosixPath('hits/key.csv'))
    """
    from ...queries.examination.sampling import JudgingPlan, draw_sample
    from ..judging import write_sample

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

    See ``tracker.judging.write_campaign``.

    >>> db.sample_spans("SAMPLE25", "en_sample-ud1.0-test", "spans", platform="pearmut")
    [PosixPath('spans/campaign.json')]
    """
    from ...queries.examination.sampling import JudgingPlan
    from ...queries.examination.span_batches import draw_batches
    from ..judging import write_campaign

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


def plot(
    tracker: Tracker,
    kind: str,
    output: Path | str,
    choice: ChartChoice | Fields | None = None,
    **filters: Unpack[Filters],
) -> Path:
    """Draw a picture of the analyses (.png, .svg or .html) and return its file.

    >>> db.plot("dea", "dea.svg", treebank="en_sample-ud1.0-test")
    PosixPath('dea.svg')
    """
    from ..show.charts.saving import check_ending, save_chart
    from ..show.charts.selected import Choice, draw_selected

    check_ending(Path(output))
    chosen_by = named(filters).items()
    name = ", ".join(f"{kind} {each}" for kind, names in chosen_by for each in as_names(names))
    chosen = tracker.select(**filters)
    shown = settings_of(Choice, choice)
    chart = draw_selected(tracker.database, kind, chosen, name or "all", shown)
    return save_chart(chart, Path(output))


def report(
    tracker: Tracker,
    output: Path | str = "report.html",
    *,
    png: Path | str | None = None,
    title: str | None = None,
    counting: Counting = "newest",
    **filters: Unpack[Filters],
) -> Written:
    """Write everything about a selection as one HTML page; see ``tracker.pages.report``.

    >>> db.report("report.html", submission="SAMPLE23/random/en_sample-ud1.0-test")
    Written(page=PosixPath('report.html'), submissions=1)
    """
    from ..pages.report import write_report

    chosen = tracker.select(**filters)
    return write_report(
        tracker.database,
        chosen,
        Path(output),
        png=None if png is None else Path(png),
        title=title,
        counting=counting,
    )


def site(tracker: Tracker, folder: Path | str, *, progress: Progress = silent) -> int:
    """Write the explorer's pages into a folder, and return how many there are.

    Raises InputError where the folder holds something else than a site, or cannot be written.

    >>> db.site("site")  # doctest: +SKIP
    1809
    """
    from ..explorer.site import write_site

    place = tracker.database.place if isinstance(tracker.database, SharedDatabase) else None
    if not isinstance(place, LakeAddress):
        return write_site(tracker, Path(folder), progress=progress)
    from ..explorer.snapshot import Snapshots

    with closing(Snapshots(place, wait=WAIT_SECONDS)) as snapshots, snapshots.reading() as copied:
        return write_site(copied, Path(folder), progress=progress)


def export(
    tracker: Tracker,
    target: Path | str,
    *,
    treebank: str | None = None,
    submission: str | None = None,
    campaign: str | None = None,
    trees: str | None = None,
    views: bool = False,
    progress: Progress = silent,
) -> int:
    """Write tables as Parquet into a folder, or a treebank or a submission as CoNLL-U to a file.

    With a submission, treebank and campaign say which it is; see ``tracker.outcomes`` for what is
    told of it. Returns how many files, or sentences, those are.

    Raises InputError for trees or a campaign without a submission.

    >>> db.export("outcomes.conllu", submission="ngram@1", treebank="en_sample-ud1.0-test")
    120
    """
    from ..export import export_tables, export_treebank
    from ..outcomes import TREES, export_submission

    if trees not in (None, *TREES) or ((trees or campaign) and not submission):
        hint = f"name a submission; its trees are those of {' or '.join(TREES)}"
        raise InputError("it is not clear what to write", hint=hint)
    if submission is not None:
        chosen = resolve_submission(
            tracker.database, submission, treebank=treebank, campaign=campaign
        )
        return export_submission(tracker.database, chosen, Path(target), trees=trees or TREES[0])
    if treebank is not None:
        return export_treebank(tracker.database, treebank, Path(target))
    return export_tables(tracker.database, Path(target), with_views=views, progress=progress)


def log(
    tracker: Tracker,
    *,
    tracking_uri: Annotated[
        TrackingUri, Option("MLflow store or server; else mlflow.db beside the database.")
    ] = None,
    progress: Progress = silent,
    **filters: Unpack[Filters],
) -> LogReport:
    """Log submissions to MLflow: one experiment per campaign, one run per submission.

    Runs that are there are updated, never doubled. See them with
    'mlflow ui --backend-store-uri sqlite:///mlflow.db'.

    Returns how many there are, see ``tracker.experiments``.

    >>> db.log(submission="random", treebank="en_sample").logged
    1
    """
    from ..experiments import log_submissions

    chosen = tracker.select(**filters) if any(filters.values()) else None
    return log_submissions(
        tracker.database, tracking_uri=tracking_uri, submissions=chosen, progress=progress
    )


def sync(
    tracker: Tracker,
    *,
    pull: bool = True,
    keep_deleted: bool = False,
    restore: bool = False,
    dry_run: bool = False,
    tracking_uri: str | None = None,
) -> SyncReport:
    """Reconcile the database and MLflow; see ``tracker.experiments.syncing``.

    >>> len(db.sync(dry_run=True).pending)
    14
    """
    from ..experiments.syncing import sync

    return sync(
        tracker.database,
        pull=pull,
        keep_deleted=keep_deleted,
        restore_by=tracker.analyser_of if restore else None,
        dry_run=dry_run,
        tracking_uri=tracking_uri,
    )


def promote(
    tracker: Tracker,
    *,
    metric: Annotated[Measure, Option("Any measure: bleu, dea[nsubj].")] = "dea",
    alias: Annotated[str, Option("Alias of the version.")] = "champion",
    dry_run: Annotated[bool, Option("Say what would be promoted and stop.")] = False,
    tracking_uri: TrackingUri = None,
    **filters: Unpack[Filters],
) -> list[Promotion]:
    """Register the best run per system and treebank as a model version with an alias.

    --submission promotes this one, whatever is better.
    The runs must be there: see 'tracker log'. Promoting again changes nothing.

    Returns what became of each, see ``tracker.experiments.promotion``.

    >>> logged = db.log(submission="random", treebank="en_sample")
    >>> best = db.promote(system="random", treebank="en_sample", dry_run=True)
    >>> [(each.model, each.done) for each in best]
    [('random.en_sample-ud1.0-test', 'would be promoted')]
    """
    from ..experiments.promotion import promote

    return promote(
        tracker.database,
        metric=metric,
        alias=alias,
        submissions=tracker.select(**filters),
        dry_run=dry_run,
        tracking_uri=tracking_uri,
    )
