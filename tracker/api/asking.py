"""Asking: views, SQL, and the sentences behind a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Unpack

from ...queries.counting import Counting
from ...queries.limits import bounded
from ...queries.reading import SECONDS_LIMIT, read_sql, read_view
from ...schema.iterations import resolve_submission
from ...schema.parameters import ItsCampaign, ItsTreebank, Measure, Option, Submission
from .given import Fields, Filters, named, settings_of

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.errors.examples import Examples
    from ...queries.errors.selection import Selection, Wanted
    from . import Tracker

PATTERNS = "suspicious_patterns"


def show(
    tracker: Tracker,
    view: str,
    *,
    where: str | None = None,
    order: str | None = None,
    limit: int | None = None,
    columns: str | None = None,
    by: Sequence[str] = (),
    counting: Counting = "newest",
    seconds: float | None = SECONDS_LIMIT,
    give_up: Callable[[], None] | None = None,
    plain: bool = False,
    **filters: Unpack[Filters],
) -> pa.Table:
    """Return a view or table as an Arrow table (``.to_pandas()`` makes a DataFrame).

    ``where``, ``order`` and ``columns`` are SQL; ``filters`` as in ``schema.selection``. ``by``
    names columns: one row per group of them, with mean and median of every number. What
    aggregates does so over those that count (``queries.counting``), of what is selected.
    ``give_up`` is called where the query does not heed its limit of ``seconds``. Suspicious
    patterns come with their Grew requests, unless columns are chosen. ``plain`` is for
    ``queries.plain_rows`` instead of Arrow, where no requests are added.

    Raises QueryError and UnknownNameError as ``queries.reading.read_view`` does.

    >>> db.show("leaderboard", system="ngram", columns="iteration, bleu", limit=1).to_pylist()
    [{'iteration': 3, 'bleu': 0.6025843691376094}]
    """
    requested = view == PATTERNS and not (columns or by)
    with bounded(tracker.database):
        rows = read_view(
            tracker.database,
            view,
            where=where,
            order=order,
            limit=limit,
            columns=columns,
            by=by,
            filters=named(filters),
            counting=counting,
            seconds=seconds,
            give_up=give_up,
            plain=plain and not requested,
        )
    if not requested:
        return rows
    from ...queries.errors.example_patterns import with_requests

    return with_requests(rows)


def errors(
    tracker: Tracker,
    by: str = "system",
    *,
    criterion: str | None = None,
    trees: str | None = None,
    **filters: Unpack[Filters],
) -> pa.Table:
    """Return the errors that annotators marked, by whom or what, as an Arrow table.

    ``by`` is system, submission, campaign, severity, category, relation, pattern, accuracy or
    metric; see ``queries.errors.marked_errors``. ``filters`` are as in ``schema.selection``.

    >>> whose = {"campaign": "SAMPLE25", "treebank_id": "en_sample-ud1.0-test"}
    >>> marked = db.ingest_judgements("mqm.tsv", layout="mqm", **whose)
    >>> db.errors("severity").num_rows
    1
    """
    from ...queries.errors.marked_errors import marked_errors

    submissions = tracker.select(**filters)
    return marked_errors(tracker.database, submissions, by, criterion=criterion, trees=trees)


def sql(tracker: Tracker, query: str, *, seconds: float | None = SECONDS_LIMIT) -> pa.Table:
    """Return the result of one SELECT statement as an Arrow table, all its rows.

    Raises QueryError where it is wrong, does not read, takes longer than ``seconds`` or more
    memory than ``tracker sql`` has.

    >>> db.sql("SELECT count(*) AS n FROM submission").to_pylist()
    [{'n': 14}]
    """
    with bounded(tracker.database):
        return read_sql(tracker.database, query, rows=None, seconds=seconds).rows


def suspicion_tree(
    tracker: Tracker,
    submission: str,
    *,
    labels: str = "deprel",
    metric: str = "bleu",
    treebank: str | None = None,
    campaign: str | None = None,
) -> pa.Table:
    """Return what a submission fails on, as the nodes of a tree of patterns.

    >>> db.suspicion_tree("ngram@1", treebank="en_sample").num_rows
    23
    """
    from ...queries.errors.suspicion_trees import read_suspicion_tree

    chosen = resolve_submission(tracker.database, submission, treebank=treebank, campaign=campaign)
    return read_suspicion_tree(tracker.database, chosen, labels=labels, metric=metric)


def select_training(
    tracker: Tracker,
    training_treebank: str,
    submission: str,
    wanted: Wanted | Fields | None = None,
    *,
    budget: int = 1000,
    seed: int = 0,
    allow_same: bool = False,
    output: Path | str | None = None,
    treebank: str | None = None,
    campaign: str | None = None,
) -> Selection:
    """Choose training sentences with what a submission does badly.

    They are written as CoNLL-U to ``output``, where that is given. See
    ``queries.errors.selection``.

    >>> train = "en_sample-ud1.0-train"
    >>> chosen = db.select_training(train, "ngram@1", treebank="en_sample", budget=10)
    >>> len(chosen.sentence_nos)
    10
    """
    from ...queries.errors.selection import Wanted, select_training
    from ..export import export_treebank

    selection = select_training(
        tracker.database,
        training_treebank,
        resolve_submission(tracker.database, submission, treebank=treebank, campaign=campaign),
        settings_of(Wanted, wanted),
        budget=budget,
        seed=seed,
        allow_same=allow_same,
    )
    if output is not None:
        numbers = selection.sentence_nos
        export_treebank(tracker.database, selection.treebank_id, Path(output), sentence_nos=numbers)
    return selection


def examples(
    tracker: Tracker,
    submission: Annotated[
        Submission, Option("The submission to look at.", flag="--submission", short="-s")
    ],
    pattern: Annotated[str | None, Option(argument=True)] = None,
    *,
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
    labels: Annotated[
        str | None,
        Option(
            "What PATTERN's nodes are labelled with: deprel, upos, lemma, xpos, relation, or "
            "several joined by ~. Else guessed from PATTERN."
        ),
    ] = None,
    metric: Annotated[Measure, Option("Order by this metric, or adequacy_z.")] = "bleu",
    order: Annotated[Literal["worst", "best"], Option("Which come first.")] = "worst",
    limit: Annotated[int, Option("Sentences to show.", short="-n", low=1)] = 5,
    sentence: Annotated[
        str | None, Option("Show this sentence (number or sent_id), whatever the pattern.")
    ] = None,
) -> Examples:
    """Show the outputs of the sentences whose trees contain PATTERN, worst first.

    PATTERN is a subtree such as '(advcl (nsubj))', '(VERB (ADV ADV))', '(VERB~conj (ADV~advmod))'
    or a single label; siblings are in no order. 'tracker show suspicious_patterns' lists patterns
    that go with bad outputs. A Grew request is taken as well where it translates, such as
    'pattern { H -[1=advcl]-> V; V -[1=nsubj]-> S }'.

    Returns outputs with their reference trees, see ``queries.errors.examples``.

    >>> db.examples("random", "(nsubj)", treebank="en_sample", limit=2)  # doctest: +ELLIPSIS
    Examples(submission_id='SAMPLE23/random/en_sample-ud1.0-test', ... examples=<2 Example>, ...)
    """
    from ...queries.errors.examples import find_examples

    chosen = resolve_submission(tracker.database, submission, treebank=treebank, campaign=campaign)
    return find_examples(
        tracker.database,
        chosen,
        pattern,
        labels=labels,
        metric=metric,
        order=order,
        limit=limit,
        sentence=sentence,
    )
