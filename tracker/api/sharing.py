"""Pictures, pages, files and MLflow."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Unpack

from ...queries.counting import COUNTING
from ...schema.address import LakeAddress
from ...schema.database import WAIT_SECONDS
from ...schema.errors import InputError
from ...schema.iterations import (
    add_name,
    as_names,
    resolve_submission,
    select_submissions,
    unknown_measure,
)
from ...schema.parameters import (
    DryRun,
    Measure,
    Option,
    TrackingUri,
)
from ...schema.progress import Progress, silent
from ...schema.sharing import SharedDatabase
from ...schema.statements import read_rows
from .methods import Fields, Filters, WhoCounts, named, settings_of

if TYPE_CHECKING:
    from ..experiments import LogReport
    from ..experiments.promotion import Promotion
    from ..experiments.syncing import SyncReport
    from ..hub import Dataset
    from ..pages.report import Written
    from ..show.charts.saving import Plot
    from ..show.charts.selected import Choice as ChartChoice
    from .tracker import Tracker

CHARTS = (
    *("dea", "correlations", "projectivity", "entropy", "patterns", "suspicion-tree"),
    *("human", "agreement", "intervals"),
)
_ONLY_FOR = {
    "labels": ("--labels", ("patterns", "suspicion-tree")),
    "metrics": (
        "--metric",
        ("correlations", "projectivity", "patterns", "suspicion-tree", "intervals"),
    ),
    "method": ("--method", ("correlations",)),
    "counting": ("--who-counts", ("dea", "correlations", "entropy", "patterns")),
}
"""What is chosen in some kinds of charts only, and in which."""


def plot(
    tracker: Tracker,
    kind: Annotated[str, Option(choices=CHARTS)],
    output: Annotated[
        Path | str | None,
        Option(
            "Write to this file: .png, .svg, .html or .json.",
            short="-o",
            path="file",
            default="KIND.png",
        ),
    ] = None,
    choice: ChartChoice | Fields | None = None,
    *,
    labels: Annotated[
        str | None,
        Option("Labels of the mined patterns.", default="deprel"),
    ] = None,
    metrics: Annotated[
        Sequence[Measure],
        Option(
            "Only this metric, or the error mining by it; may be repeated.",
            flag="--metric",
            default="all, bleu of the error mining",
        ),
    ] = (),
    method: Annotated[
        Literal["spearman", "pearson", "kendall"] | None,
        Option("Coefficient of the correlations.", default="spearman"),
    ] = None,
    counting: WhoCounts = "newest",
    **filters: Unpack[Filters],
) -> Plot:
    """Draw a chart of a KIND; the options choose its submissions.

    \b
    dea             accuracy by relation (of several submissions: means)
    correlations    heat map of metrics and complexity (of several: medians)
    projectivity    projective against non-projective sentences
    entropy         word-order freedom against accuracy, by relation
    patterns        suspicious subtrees (of several: coverage)
    suspicion-tree  sentences split on suspicious subtrees (of one submission)
    human           who is rated significantly higher (of one treebank)
    agreement       metrics against people (of one treebank)
    intervals       bootstrap intervals of scores

    The numbers are computed by 'tracker score', 'analyse', 'human' and 'significance'.

    Returns the chart, which notebooks show: ``save(path)`` writes it, ``spec`` is what Vega-Lite
    draws, ``path`` the file where one was named. ``choice`` are settings of
    ``tracker.show.charts.selected``, before which go ``labels``, ``metrics``, ``method`` and
    ``counting``.

    Raises InputError for one of these that does not apply to the kind.

    >>> chart = db.plot("dea", treebank="en_sample-ud1.0-test")
    >>> chart.save("dea.svg")
    PosixPath('dea.svg')
    """  # noqa: D301
    from ..show.charts.saving import Plot, check_ending
    from ..show.charts.selected import Choice, draw_selected

    if output is not None:
        check_ending(Path(output))
    chosen_alone = {"labels": labels, "metrics": metrics, "method": method}
    if counting != COUNTING[0]:
        chosen_alone["counting"] = counting
    further = {name: value for name, value in chosen_alone.items() if value}
    for name in further:
        option, kinds = _ONLY_FOR[name]
        if kind not in kinds:
            hint = f"it is for {', '.join(kinds)}"
            raise InputError(f"{option} does not apply to {kind}", hint=hint)
    chosen_by = named(filters).items()
    name = ", ".join(f"{kind} {item}" for kind, names in chosen_by for item in as_names(names))
    chosen = tracker.select(**filters)
    shown = settings_of(Choice, choice, further)
    chart = draw_selected(tracker.database, kind, chosen, name or "all", shown)
    plot = Plot(chart)
    return plot if output is None else Plot(chart, plot.save(output))


def report(
    tracker: Tracker,
    output: Annotated[Path | str, Option("The page.", short="-o", path="file")] = Path(
        "report.html"
    ),
    *,
    selection: Annotated[str | None, Option(argument=True)] = None,
    png: Annotated[
        Path | str | None, Option("Folder for the charts as PNG.", path="folder")
    ] = None,
    title: Annotated[str | None, Option("Title of the page.")] = None,
    counting: WhoCounts = "newest",
    **filters: Unpack[Filters],
) -> Written:
    """Write one page about SELECTION: a submission, a system or a campaign.

    The page needs no network and no other file. It shows the scores, the relations, correlations,
    projectivity, word-order freedom, suspicious patterns with example sentences, suspicion trees
    and the worst sentences: whatever was computed ('tracker score', 'tracker analyse').

    Returns what was written, see ``tracker.pages.report``. Without a ``title`` the page is called
    as what was selected.

    >>> db.report("report.html", submission="SAMPLE23/random/en_sample-ud1.0-test")
    Written(page=PosixPath('report.html'), submissions=1)
    """
    from ..pages.report import write_report

    chosen = named(filters)
    if selection is not None:
        chosen = add_name(tracker.database, selection, chosen)
    names = " · ".join(name for several in chosen.values() for name in as_names(several))
    return write_report(
        tracker.database,
        select_submissions(tracker.database, chosen),
        Path(output),
        png=None if png is None else Path(png),
        title=title or names or None,
        counting=counting,
    )


def site(
    tracker: Tracker,
    folder: Annotated[Path | str, Option(path="folder")],
    *,
    sql: Annotated[bool, Option("Answer SQL in the reader's browser; needs npm once.")] = False,
    progress: Progress = silent,
) -> int:
    """Write the explorer's pages into FOLDER, to be published: a site without a server.

    Every campaign with its systems, submissions and sentences; search needs 'tracker serve', and so
    does SQL without --sql. A site that is there already is replaced. It is a static Space of the
    Hugging Face Hub as it is.

    Returns how many pages there are.

    Raises InputError where the folder holds something other than a site, or cannot be written.

    >>> db.site("site")  # doctest: +SKIP
    1809
    """
    from ..explorer.site import write_site

    place = tracker.database.place if isinstance(tracker.database, SharedDatabase) else None
    if not isinstance(place, LakeAddress):
        return write_site(tracker, Path(folder), sql=sql, progress=progress)
    from ..explorer.snapshot import Snapshots

    with closing(Snapshots(place, wait=WAIT_SECONDS)) as snapshots, snapshots.reading() as copied:
        return write_site(copied, Path(folder), sql=sql, progress=progress)


def export(
    tracker: Tracker,
    target: Path | str,
    *,
    trees: Annotated[
        str | None,
        Option(
            "Trees to write for a submission: the references with its edges (default), or its "
            "words with its errors.",
            choices=("reference", "output"),
        ),
    ] = None,
    views: Annotated[bool, Option("Write the views as well as the tables.")] = False,
    hub: Annotated[bool, Option("Write a dataset for the Hugging Face Hub.")] = False,
    licence: Annotated[
        str | None,
        Option("Licence of the dataset, as the Hub writes it: cc-by-4.0.", flag="--license"),
    ] = None,
    title: Annotated[str | None, Option("Title of the dataset.")] = None,
    progress: Progress = silent,
    **filters: Unpack[Filters],
) -> int | Dataset:
    """Write every table as Parquet into the folder TARGET.

    With --treebank or --submission, write CoNLL-U to the file TARGET (.gz and .xz compress). Of a
    submission, MISC shows with the references' trees whether the output has each edge (Edge=found,
    missed or misplaced), and with the outputs' trees which rules each word's dependency breaks
    (Rules=) and which errors were marked on it (Error=SEVERITY:CATEGORY).

    With --hub, write the folder TARGET as a dataset: outputs with references and scores,
    leaderboard, comparisons and judgements as Parquet, a card (README.md) and CITATION.cff. Options
    that select submissions select its content.

    Returns how many files, or sentences, those are, see ``tracker.export``; of a dataset what is
    in it, see ``tracker.hub``.

    Raises InputError for trees or a campaign without a submission, and for what a dataset alone
    takes.

    >>> db.export("outcomes.conllu", submission="ngram@1", treebank="en_sample-ud1.0-test")
    120
    >>> db.export("dataset", campaign="SAMPLE25", hub=True).tables["leaderboard"]
    8
    """
    from ..export import TREES, export_submission, export_tables, export_treebank

    if hub:
        from ..hub import write_dataset

        if trees or views:
            raise InputError("--trees and --views are not for a dataset", hint="leave them out")
        chosen = tracker.select(**filters)
        return write_dataset(
            tracker.database, Path(target), chosen, licence=licence, title=title, progress=progress
        )
    names = {kind: as_names(several) for kind, several in named(filters).items()}
    of_dataset = {"license": licence, "title": title, **names}
    of_file = ("submission", "treebank", "campaign")
    wrong = next((f"--{n}" for n, value in of_dataset.items() if value and n not in of_file), None)
    if wrong or any(len(several) > 1 for several in names.values()):
        raise InputError(
            f"{wrong or 'several names'} are for a dataset",
            hint="give --hub, or one submission or treebank",
        )
    submission, treebank, campaign = (next(iter(names.get(kind, ())), None) for kind in of_file)
    if trees not in (None, *TREES) or ((trees or campaign) and not submission):
        hint = f"name a submission; its trees are those of {' or '.join(TREES)}"
        raise InputError("no format or file is named", hint=hint)
    if submission is not None:
        submission = resolve_submission(
            tracker.database, submission, treebank=treebank, campaign=campaign
        )
        return export_submission(
            tracker.database, submission, Path(target), trees=trees or TREES[0]
        )
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

    Existing runs are updated, never doubled. See them with 'mlflow ui --backend-store-uri
    sqlite:///mlflow.db'.

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
    pull: Annotated[bool, Option("Take tags from MLflow.", flag="--pull/--no-pull")] = True,
    keep_deleted: Annotated[bool, Option("Do not make deleted runs again.")] = False,
    restore: Annotated[bool, Option("Load what the database lacks from its runs.")] = False,
    dry_run: Annotated[DryRun, Option("Show what differs, and stop.")] = False,
    tracking_uri: TrackingUri = None,
) -> SyncReport:
    """Bring tags edited in MLflow into the database, and log what MLflow lacks.

    --restore loads submissions from their runs again, where the treebank is loaded; they are
    scored and analysed.

    Returns what differed, see ``tracker.experiments.syncing``.

    >>> len(db.sync(dry_run=True).pending)
    14
    """
    from ..experiments.syncing import sync

    return sync(
        tracker.database,
        pull=pull,
        keep_deleted=keep_deleted,
        restore_by=tracker.analyser_of if restore and not dry_run else None,
        dry_run=dry_run,
        tracking_uri=tracking_uri,
    )


def promote(
    tracker: Tracker,
    *,
    metric: Annotated[Measure, Option("Any measure: bleu, dea[nsubj].")] = "dea",
    alias: Annotated[str, Option("Alias of the version.")] = "champion",
    dry_run: Annotated[bool, Option("Show what would be promoted, and stop.")] = False,
    tracking_uri: TrackingUri = None,
    **filters: Unpack[Filters],
) -> list[Promotion]:
    """Register the best run per system and treebank as a model version with an alias.

    --submission promotes this one, even where another is better. The runs must exist: see 'tracker
    share log'. Promoting again changes nothing.

    Returns what became of each, see ``tracker.experiments.promotion``. ``metric`` is any measure of
    the view submission_measures.

    Raises UnknownNameError for a measure that none of the submissions has, TrackingUnavailableError
    where the store cannot be reached.

    >>> logged = db.log(submission="random", treebank="en_sample")
    >>> best = db.promote(system="random", treebank="en_sample", dry_run=True)
    >>> [(promotion.model, promotion.done) for promotion in best]
    [('random.en_sample-ud1.0-test', 'would be promoted')]
    """
    from ..experiments.promotion import promoted, runs_of
    from ..experiments.store import open_store

    wanted = tracker.select(**filters)
    with tracker.reading() as database:
        best = read_rows(database, "best_submissions", measure=metric, submissions=wanted)
        if not best:
            message = f"none of the chosen submissions has a score by '{metric}'"
            raise unknown_measure(database, metric, wanted, message)
    with open_store(tracker.database, tracking_uri) as store:
        runs = {name: runs_of(store, name) for name in {row["campaign_id"] for row in best}}
        return [
            promoted(store, row, runs[row["campaign_id"]], alias, dry_run=dry_run) for row in best
        ]
