"""Pictures, pages, files, MLflow, and outputs for people to judge."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from sr_tracker.queries.counting import Counting
from sr_tracker.schema.database import WAIT_SECONDS
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.lake.address import LakeAddress
from sr_tracker.schema.progress import Progress, silent
from sr_tracker.schema.selection import as_names
from sr_tracker.schema.sharing import SharedDatabase
from sr_tracker.tracker.api.given import Filters, named

if TYPE_CHECKING:
    from sr_tracker.queries.people.sampling import JudgingPlan
    from sr_tracker.tracker.api import Tracker
    from sr_tracker.tracker.experiments import LogReport
    from sr_tracker.tracker.experiments.promotion import Promotion
    from sr_tracker.tracker.experiments.syncing import SyncReport
    from sr_tracker.tracker.show.charts.selected import Choice as ChartChoice
    from sr_tracker.tracker.show.report import Written


def sample_judging(
    tracker: Tracker,
    campaign: str,
    treebank: str,
    folder: Path | str,
    plan: JudgingPlan | None = None,
    *,
    format_name: str = "csv",
    replace: bool = False,
) -> tuple[Path, Path]:
    """Draw outputs for people to judge; return the files of the HITs and of their key.

    ``tracker.judging.join_answers`` joins what people answer with the key.
    """
    from sr_tracker.queries.people.sampling import JudgingPlan, draw_sample
    from sr_tracker.tracker.judging import write_sample

    sample = draw_sample(tracker.database, campaign, treebank, plan or JudgingPlan())
    return write_sample(sample, Path(folder), format_name=format_name, replace=replace)


def sample_spans(
    tracker: Tracker,
    campaign: str,
    treebank: str,
    folder: Path | str,
    plan: JudgingPlan | None = None,
    *,
    platform: str,
    protocol: str = "esa",
    language_pair: str | None = None,
    replace: bool = False,
) -> list[Path]:
    """Write a campaign for Appraise or Pearmut in which annotators mark errors; return its files.

    See ``tracker.span_campaigns.write_campaign``.
    """
    from sr_tracker.queries.people.sampling import JudgingPlan
    from sr_tracker.queries.people.span_batches import draw_batches
    from sr_tracker.tracker.span_campaigns import write_campaign

    drawn = draw_batches(tracker.database, campaign, treebank, plan or JudgingPlan())
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
    choice: ChartChoice | None = None,
    **filters: Unpack[Filters],
) -> Path:
    """Draw a picture of the analyses (.png, .svg or .html) and return its file."""
    from sr_tracker.tracker.show.charts.saving import check_ending, save_chart
    from sr_tracker.tracker.show.charts.selected import Choice, draw_selected

    check_ending(Path(output))
    chosen_by = named(filters).items()
    name = ", ".join(f"{kind} {each}" for kind, names in chosen_by for each in as_names(names))
    chosen = tracker.select(**filters)
    chart = draw_selected(tracker.database, kind, chosen, name or "all", choice or Choice())
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
    """Write everything about a selection as one HTML page; see ``tracker.show.report``."""
    from sr_tracker.tracker.show.report import write_report

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
    """
    from sr_tracker.tracker.explorer.site import write_site

    place = tracker.database.place if isinstance(tracker.database, SharedDatabase) else None
    if not isinstance(place, LakeAddress):
        return write_site(tracker, Path(folder), progress=progress)
    from sr_tracker.tracker.explorer.snapshot import Snapshots

    with closing(Snapshots(place, wait=WAIT_SECONDS)) as snapshots, snapshots.reading() as copied:
        return write_site(copied, Path(folder), progress=progress)


def export(
    tracker: Tracker,
    target: Path | str,
    *,
    treebank: str | None = None,
    submission: str | None = None,
    trees: str | None = None,
    views: bool = False,
    progress: Progress = silent,
) -> int:
    """Write tables as Parquet into a folder, or a treebank or a submission as CoNLL-U to a file.

    See ``tracker.outcomes`` for what is told of a submission. Returns how many files, or
    sentences, those are.

    Raises InputError for both a treebank and a submission, and for trees without a submission.
    """
    from sr_tracker.tracker.export import export_tables, export_treebank
    from sr_tracker.tracker.outcomes import TREES, export_submission

    if trees not in (None, *TREES) or (submission if treebank else trees and not submission):
        hint = f"name a treebank, or a submission; trees of that are those of {' or '.join(TREES)}"
        raise InputError("it is not clear what to write", hint=hint)
    if submission is not None:
        return export_submission(
            tracker.database, submission, Path(target), trees=trees or TREES[0]
        )
    if treebank is not None:
        return export_treebank(tracker.database, treebank, Path(target))
    return export_tables(tracker.database, Path(target), with_views=views, progress=progress)


def log(
    tracker: Tracker,
    *,
    tracking_uri: str | None = None,
    progress: Progress = silent,
    **filters: Unpack[Filters],
) -> LogReport:
    """Log submissions to MLflow; see ``tracker.experiments``."""
    from sr_tracker.tracker.experiments import log_submissions

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
    """Reconcile the database and MLflow; see ``tracker.experiments.syncing``."""
    from sr_tracker.tracker.experiments.syncing import sync

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
    metric: str = "dea",
    alias: str = "champion",
    dry_run: bool = False,
    tracking_uri: str | None = None,
    **filters: Unpack[Filters],
) -> list[Promotion]:
    """Put the best runs into MLflow's model registry; see ``tracker.experiments.promotion``."""
    from sr_tracker.tracker.experiments.promotion import promote

    return promote(
        tracker.database,
        metric=metric,
        alias=alias,
        submissions=tracker.select(**filters),
        dry_run=dry_run,
        tracking_uri=tracking_uri,
    )
