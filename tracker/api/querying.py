"""Querying: views, SQL, and the sentences behind a number."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, Unpack

from ...queries.catalog import current_name, listing, renaming, views
from ...queries.cross_tables import crossed
from ...queries.limits import bounded
from ...queries.reading import SECONDS_LIMIT, Shape, check_view, read_sql, read_view
from ...schema.errors import InputError
from ...schema.iterations import resolve_submission
from ...schema.parameters import (
    ItsCampaign,
    ItsTreebank,
    Labels,
    Measure,
    Option,
    Seed,
    SentenceLabel,
    Submission,
    Treebank,
)
from .methods import Fields, Filters, WhoCounts, named, settings_of

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.errors import Wanted
    from ...queries.errors.examples import Examples
    from ...queries.errors.selection import Selection
    from ...queries.system_correlations import SystemCorrelations
    from .tracker import Tracker

PATTERNS = "suspicious_patterns"
_MOST_SUSPICIOUS = "suspicion DESC NULLS LAST, pattern, submission_id, settings"
LONGEST_SECONDS = 86_400

MinedAs: TypeAlias = Annotated[
    str | None,
    Option("Metric of error mining in a paper, before which --metric goes.", choices=("tacl2021",)),
]


def _mined_by(metric: str | None, preset: str | None) -> str:
    """Return a metric, else that of a preset, else bleu."""
    from ...queries.errors import Settings

    return metric or settings_of(Settings, {"preset": preset}).metric


def _time_limit(seconds: float) -> float:
    """Return a limit in seconds. Raises InputError where it is none."""
    if not 0 < seconds <= LONGEST_SECONDS:
        hint = f"--seconds takes more than 0, at most {LONGEST_SECONDS}"
        raise InputError(f"{seconds:g} seconds are no time limit", hint=hint)
    return seconds


Seconds: TypeAlias = Annotated[float | None, Option("Time limit.", convert=_time_limit)]
"""None for no limit."""


def show(
    tracker: Tracker,
    view: Annotated[str | None, Option(argument=True, names="view")] = None,
    *,
    where: Annotated[
        str | None, Option("SQL condition on the view's columns; scores are 0 to 1.")
    ] = None,
    order: Annotated[str | None, Option("SQL order, such as 'dea DESC'.")] = None,
    limit: Annotated[int | None, Option("At most this many rows.", short="-n", low=0)] = None,
    columns: Annotated[str | None, Option("Columns to show (a,b,c), or SQL expressions.")] = None,
    by: Annotated[
        Sequence[str],
        Option("Columns (a,b,c): mean and median of all numbers by these.", commas=True),
    ] = (),
    rows: Annotated[
        str | None,
        Option("Make a table with a line for each of these, a column for each of --columns."),
    ] = None,
    measures: Annotated[
        Sequence[Measure],
        Option(
            "Columns whose values such a table holds; may be repeated. The best are bold.",
            flag="--measure",
        ),
    ] = (),
    counting: WhoCounts = "newest",
    seconds: Seconds = SECONDS_LIMIT,
    describe: Annotated[bool, Option("Show what the view's columns mean.")] = False,
    everything: Annotated[
        bool,
        Option("List all views, last those that other views read, and old names.", flag="--all"),
    ] = False,
    give_up: Callable[[], None] | None = None,
    plain: bool = False,
    **filters: Unpack[Filters],
) -> pa.Table:
    """Show a VIEW (or table); without one, list the views to start with by what they are for.

    Returns an Arrow table (``.to_pandas()`` makes a DataFrame). ``where``, ``order`` and
    ``columns`` are SQL; ``filters`` as in ``schema.iterations``. ``by`` names columns: one row per
    group of them. What aggregates does so over those that count (``queries.counting``), of what is
    selected. ``give_up`` is called where the query does not obey its limit of ``seconds``.
    With ``rows``, ``columns`` and ``measures``, as system, treebank and bleu, it is a cross table:
    of several iterations the newest stands in it.

    A table has scores in points (0 to 100), other formats and SQL have them as they are stored.

    Suspicious patterns come with their Grew requests, the most suspicious first, unless columns are
    chosen. ``plain`` is for ``queries.formats`` instead of Arrow, where no requests are added.

    Raises QueryError and UnknownNameError as ``queries.reading.read_view`` does.

    >>> db.show("leaderboard", system="ngram", columns="iteration, bleu", limit=1).to_pylist()
    [{'iteration': 3, 'bleu': 0.6025843691376094}]
    """
    if view is None:
        import pyarrow as pa

        return pa.Table.from_pylist(listing(everything))
    if everything:
        raise InputError("--all lists views", hint="leave it out, or the view")
    if note := renaming(view):
        warnings.warn(note, DeprecationWarning, stacklevel=3)
    if describe:
        return _meanings(view)
    if rows is not None or measures:
        with tracker.reading(), bounded(tracker.database):
            return crossed(
                tracker.database,
                view,
                rows,
                columns,
                measures,
                filters=named(filters),
                counting=counting,
                shape=Shape(where=where, order=order, limit=limit),
            )
    requested = view == PATTERNS and not (columns or by)
    with tracker.reading(), bounded(tracker.database):
        shown = read_view(
            tracker.database,
            view,
            where=where,
            order=order or (_MOST_SUSPICIOUS if requested else None),
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
        return shown
    from ...queries.errors.example_patterns import with_requests

    return with_requests(shown)


def view_columns(view: str) -> dict[str, str]:
    """Return the columns of a view and what they mean; empty for what is no view."""
    name = current_name(view)
    return next((file.column_comments for file in views() if file.name == name), {})


def _meanings(view: str) -> pa.Table:
    import pyarrow as pa

    from ...schema.migrate import tables

    check_view(view)
    columns = view_columns(view) or tables()[view].column_comments
    return pa.table({"column": [*columns], "meaning": [*columns.values()]})


def sql(tracker: Tracker, query: str, *, seconds: float | None = SECONDS_LIMIT) -> pa.Table:
    """Return the result of one SELECT statement as an Arrow table, all its rows.

    Raises QueryError where it is wrong, does not read, takes longer than ``seconds`` or more
    memory than ``tracker sql`` has.

    >>> db.sql("SELECT count(*) AS n FROM submission").to_pylist()
    [{'n': 14}]
    """
    with bounded(tracker.database):
        return read_sql(tracker.database, query, rows=None, seconds=seconds).rows


def correlate(
    tracker: Tracker,
    *,
    measures: Annotated[
        Sequence[Measure],
        Option(
            "A metric such as bleu, or a part of one; may be repeated.",
            flag="--measure",
            short="-m",
            default="every metric",
        ),
    ] = (),
    against: Annotated[
        Sequence[Measure],
        Option(
            "Measure that these are held against; may be repeated.",
            flag="--against",
            default="what people say",
        ),
    ] = (),
    human: Annotated[
        Path | str | None,
        Option(
            "Human scores of systems, called human_z: columns LP, SYSTEM and HUMAN, as in WMT's "
            "DA-syslevel.csv.",
            path="file",
        ),
    ] = None,
    pair: Annotated[
        str | None,
        Option("Language pair in the file; else inferred from language and systems."),
    ] = None,
    method: Annotated[
        Literal["pearson", "spearman", "kendall"],
        Option("Coefficient: Pearson's r, Spearman's rho or Kendall's tau-b."),
    ] = "pearson",
    counting: WhoCounts = "newest",
    **filters: Unpack[Filters],
) -> SystemCorrelations:
    """Correlate measures with each other over the systems of each test set.

    Without --against they are held against what people say: the scores of the file --human, or
    means of stored judgements. Then the correlations are over all systems, and without those so
    good or bad that they alone make a correlation (Mathur et al. 2020). On a terminal one line for
    each test set, p-values beside the coefficients; --format and --output give a row for each pair.

    Returns SystemCorrelations: ``correlations``, and the scores of ``systems`` behind them.

    >>> db.correlate(measures=["dea"], against=["bleu"], campaign="SAMPLE25").correlations.num_rows
    2
    """
    from ...ingest.scores.wmt import read_system_scores
    from ...queries.system_correlations import correlate_systems

    return correlate_systems(
        tracker.database,
        tracker.select(**filters),
        measures=list(dict.fromkeys(measures)),
        against=list(dict.fromkeys(against)),
        human=None if human is None else read_system_scores(Path(human)),
        pair=pair,
        method=method,
        counting=counting,
    )


def suspicion_tree(
    tracker: Tracker,
    submission: Submission,
    *,
    labels: Labels = "deprel",
    preset: MinedAs = None,
    metric: Annotated[
        Measure | None,
        Option("Metric that separates failed from passed sentences.", default="bleu"),
    ] = None,
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
) -> pa.Table:
    """Show SUBMISSION's suspicion tree: its sentences split on the most suspicious patterns.

    Each pattern splits the sentences into those with and without it; S is its suspicion score
    among them.

    Returns a row for each node.

    >>> db.suspicion_tree("ngram@1", treebank="en_sample").num_rows
    23
    """
    from ...queries.errors.suspicion_tree import read_suspicion_tree

    chosen = resolve_submission(tracker.database, submission, treebank=treebank, campaign=campaign)
    failing_by = _mined_by(metric, preset)
    return read_suspicion_tree(tracker.database, chosen, labels=labels, metric=failing_by)


def select_training(
    tracker: Tracker,
    training_treebank: Treebank,
    submission: Annotated[
        Submission, Option("Submission whose weak points the sentences have.", flag="--submission")
    ],
    wanted: Wanted | Fields | None = None,
    *,
    budget: Annotated[int, Option("Sentences to choose at most.")] = 1000,
    seed: Annotated[Seed, Option("Seed that decides between equals.")] = 0,
    allow_same: Annotated[
        bool, Option("Allow the treebank that the submission was made for.")
    ] = False,
    output: Annotated[
        Path | str | None,
        Option(
            "CoNLL-U file to write (.gz and .xz compress).", short="-o", path="file", required=True
        ),
    ] = None,
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
) -> Selection:
    """Choose sentences of TRAINING_TREEBANK with what a submission realises worst.

    Writes the sentences as they are in the treebank. Each sentence adds the weights of its
    relations, patterns and bounds, reduced for those that sentences chosen before it have.

    Returns a Selection, see ``queries.errors.selection``. Nothing is written without ``output``.

    >>> train = "en_sample-ud1.0-train"
    >>> chosen = db.select_training(train, "ngram@1", treebank="en_sample", budget=10)
    >>> len(chosen.sentence_nos)
    10
    """
    from ...queries.errors import Wanted
    from ...queries.errors.selection import select_training
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
            "Labels of PATTERN's nodes: deprel, upos, lemma, xpos, relation, or "
            "several joined by ~. Else guessed from PATTERN."
        ),
    ] = None,
    preset: MinedAs = None,
    metric: Annotated[
        Measure | None, Option("Order by this metric, or adequacy_z.", default="the primary one")
    ] = None,
    order: Annotated[Literal["worst", "best"], Option("Which sentences come first.")] = "worst",
    limit: Annotated[int, Option("Sentences to show.", short="-n", low=1)] = 5,
    sentence: Annotated[
        str | None, Option("Show this sentence (number or sent_id), whatever the pattern.")
    ] = None,
    over: Annotated[
        Sequence[SentenceLabel],
        Option("Only sentences with this LABEL=VALUE, such as domain=news; may be repeated."),
    ] = (),
) -> Examples:
    """Show the outputs of the sentences whose trees contain PATTERN, worst first.

    PATTERN is a subtree such as '(advcl (nsubj))', '(VERB (ADV ADV))', '(VERB~conj (ADV~advmod))'
    or a single label; siblings are in no order. 'tracker show suspicious_patterns' lists patterns
    of bad outputs. A Grew request works as well where it can be translated, such as 'pattern { H
    -[1=advcl]-> V; V -[1=nsubj]-> S }'. Without PATTERN: all sentences, or a label's (--over).

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
        metric=_mined_by(metric, preset) if metric or preset else None,
        order=order,
        limit=limit,
        sentence=sentence,
        over=over,
    )
