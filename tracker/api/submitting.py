"""Model runs: loading them, making them of baselines and of other runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from ...schema.parameters import (
    ItsCampaign,
    ItsTreebank,
    Option,
    Replace,
    Submission,
    Treebank,
)
from ...schema.progress import Progress, silent
from .given import Loading, Submitting

if TYPE_CHECKING:
    from ...ingest.outputs.submissions import Submitted
    from ...queries.errors.ensemble import EnsembleReport
    from ..submit import SubmitReport
    from . import Tracker


def ingest_submission(
    tracker: Tracker,
    path: Path | str,
    *,
    system: str,
    treebank: str,
    campaign: str = "local",
    replace: bool = False,
    **run: Unpack[Loading],
) -> Submitted:
    """Load a file of outputs and return what became of it.

    ``run`` may give any field of ``ingest.campaigns.runs.Run``, such as iteration and params.

    >>> path = "SAMPLE24/submissions/ngram/en_sample-1.txt"
    >>> run = db.ingest_submission(path, system="ours", treebank="en_sample-ud1.0-test")
    >>> run.submission_id
    'local/ours/en_sample-ud1.0-test'
    """
    from ...ingest.outputs.submissions import Run, ingest_submission

    details = Run(campaign_id=campaign, system_id=system, treebank_id=treebank, **run)
    return ingest_submission(
        tracker.database, Path(path), details, tracker.analyser_of, replace=replace
    )


def submit(
    tracker: Tracker,
    outputs: Any,
    *,
    system: str,
    treebank: str,
    campaign: str = "local",
    iteration: int | None = None,
    parent: str | None = None,
    against: str | None = None,
    params: Mapping[str, Any] | None = None,
    tags: Mapping[str, Any] | None = None,
    replace: bool = False,
    analyse: bool = True,
    log: bool = True,
    tracking_uri: str | None = None,
    step: int | None = None,
    tell: Callable[[SubmitReport], None] | None = None,
    progress: Progress = silent,
    **run: Unpack[Submitting],
) -> SubmitReport:
    """Load, score and analyse outputs, log them, and return what changed against their parent.

    ``outputs`` is a list of texts in the treebank's order, a dictionary by sent_id, a data
    frame, or the path of a file; new content without ``iteration`` is the system's next one.
    ``tell`` gets the report before it is logged. Inside an active MLflow run, that run gets the
    scores, at ``step``. ``run`` may give any other field of ``ingest.campaigns.runs.Run``; see
    ``tracker.submit``.

    >>> report = db.submit(
    ...     "SAMPLE25/submissions/ngram/en_sample-3.txt",
    ...     system="ours",
    ...     treebank="en_sample-ud1.0-test",
    ...     campaign="SAMPLE25",
    ...     against="ngram@1",
    ...     params={"beam": 5},
    ...     log=False,
    ... )
    >>> round(report.comparison.metrics[0].difference, 3)
    0.033
    """
    from ...ingest.campaigns.runs import Run
    from ..submit import submit

    details = Run(
        campaign_id=campaign,
        system_id=system,
        treebank_id=treebank,
        iteration=iteration,
        parent_submission_id=parent,
        params=params or {},
        tags=tags or {},
        **run,
    )
    return submit(
        tracker.database,
        outputs,
        details,
        tracker.analyser_of,
        against=against,
        replace_content=replace,
        analyse=analyse,
        log=log,
        tracking_uri=tracking_uri,
        step=step,
        tell=tell or (lambda _: None),
        progress=progress,
    )


def ensemble(
    tracker: Tracker,
    treebank: str,
    *,
    campaign: str | None = None,
    systems: Sequence[str] | None = None,
    all_iterations: bool = False,
    folds: int = 10,
    seed: int = 0,
    name: str = "ensemble",
    replace: bool = False,
    progress: Progress = silent,
) -> EnsembleReport:
    """Make a submission of the best outputs of others; see ``tracker.ensemble``.

    >>> made = db.ensemble("en_sample-ud1.0-test", campaign="SAMPLE23", folds=2)
    >>> made.submission_id, round(made.bleu, 3)
    ('SAMPLE23/ensemble/en_sample-ud1.0-test', 0.764)
    """
    from ..ensemble import make_ensemble

    return make_ensemble(
        tracker.database,
        treebank,
        campaign=campaign,
        systems=systems,
        all_iterations=all_iterations,
        folds=folds,
        seed=seed,
        name=name,
        replace=replace,
        progress=progress,
    )


def baseline(
    tracker: Tracker,
    treebank: str,
    *,
    names: Sequence[str] | None = None,
    train: str | None = None,
    campaign: str = "local",
    seed: int = 0,
    folder: Path | str | None = None,
    replace: bool = False,
    progress: Progress = silent,
) -> list[Submitted]:
    """Make baseline submissions for a treebank; see ``tracker.baselines``.

    >>> (made,) = db.baseline("en_sample-ud1.0-test", names=["random"], seed=1)
    >>> made.submission_id
    'local/baseline-random/en_sample-ud1.0-test'
    """
    from ..making import run_baselines

    return run_baselines(
        tracker,
        treebank,
        names=names,
        train=train,
        campaign=campaign,
        seed=seed,
        folder=None if folder is None else Path(folder),
        replace=replace,
        progress=progress,
    )


def carry(
    tracker: Tracker,
    *submissions: Annotated[Submission, Option(required=True)],
    to: Annotated[Treebank, Option("The other version: id, or en_ewt.")],
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
    replace: Annotated[
        Replace, Option("Load in place of other outputs under the same name.")
    ] = False,
    progress: Progress = silent,
) -> list[Submitted]:
    """Load the outputs of SUBMISSIONS for another version of their treebank, and score them.

    A run keeps its system, iteration, date and params; the tag carried_from tells what it was.
    Outputs find their sentence by sent_id, else by its text. 'tracker drift' then tells how much
    of a score's change comes from the references.

    Returns what became of each, see ``tracker.making``.

    >>> later, _ = db.ingest_treebank("revised/en_sample-ud-test.conllu", version="1.1")
    >>> (carried,) = db.carry("ngram@1", to=later, treebank="en_sample-ud1.0-test")
    >>> carried.submission_id
    'SAMPLE25/ngram/en_sample-ud1.1-test'
    """
    from ..making import carry

    return carry(
        tracker,
        submissions,
        to,
        treebank=treebank,
        campaign=campaign,
        replace=replace,
        progress=progress,
    )
