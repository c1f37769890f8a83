"""Comparing submissions, and following systems over iterations and years."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace as with_values
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, overload

from ...queries.change.comparison.model import Settings as ComparisonSettings
from ...queries.change.history import LATEST, Control, Tests
from ...queries.change.years import Choice as YearsChoice
from ...schema.errors import DatabaseUnavailableError, InputError, UnknownNameError
from ...schema.iterations import BEST, PREVIOUS, resolve_submission, runs_of_line
from ...schema.parameters import (
    ALPHA,
    Alpha,
    Campaign,
    ItsBase,
    ItsCampaign,
    ItsTreebank,
    Measure,
    Option,
    Submission,
    System,
    Treebank,
)
from ...schema.progress import Progress, silent
from ...schema.statements import read_tuples
from ..webhook import Webhook, tell_gate
from .methods import Fields, base_named, settings_of, storing

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.change.comparison.model import Comparison
    from ...queries.change.comparison.ranking import Rankings
    from ...queries.change.comparison.stored import Rows
    from ...queries.change.gate import GateResult
    from ...queries.change.history import History
    from ...queries.change.years import Years
    from ...schema.database import Database
    from .tracker import Tracker


@overload
def compare(tracker: Tracker, new: str, base: str | None = None, **fields: Any) -> Comparison: ...


@overload
def compare(
    tracker: Tracker, new: str, base: str | None = None, *others: str, **fields: Any
) -> Comparison | Rankings: ...


def compare(
    tracker: Tracker,
    new: Submission,
    base: ItsBase = None,
    *others: Submission,
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
    settings: ComparisonSettings | Fields | None = None,
    **fields: Any,
) -> Comparison | Rankings:
    """Compare submission NEW with BASE in everything, or rank three and more.

    Differences are NEW minus BASE. A submission is named by its id, or as system@3, system@latest,
    system@first, system@previous or system@best:dea. Without BASE it is compared with its parent
    or, where none is known, with the run before it. With OTHERS, a table ranks them in clusters of
    those that do not differ by more than chance. The comparison of two is stored, and every command
    and page shows it as stored.

    Returns a Comparison of two, or Rankings of more. ``fields`` are those of ``settings``, see
    ``queries.change.comparison.model.Settings``. Raises InputError without a base for a first run.

    >>> change = db.compare("random", "head-direction", treebank="en_sample", replicates=100)
    >>> [(one.measure, round(one.difference, 2)) for one in change.metrics]
    [('bleu', -0.74), ('dea', -0.76)]
    """
    from ...queries.change.comparison.comparing import compare, rankings

    chosen = settings_of(ComparisonSettings, settings, fields)
    with tracker.reading() as database:
        new, *further = (
            resolve_submission(database, name, treebank=treebank, campaign=campaign)
            for name in (new, base, *others)
            if name is not None
        )
        if others:
            return rankings(database, [new, *further], chosen)
        base = further[0] if further else _run_before(database, new)
        if base is None:
            raise InputError(
                f"'{new}' is a first run, and has none before it",
                hint="name what it is compared with: compare NEW BASE",
            )
        comparison = compare(database, new, base, chosen)
    left = keep_comparisons(tracker, [comparison.unstored])
    return with_values(comparison, notes=[*comparison.notes, *left])


def history(
    tracker: Tracker,
    system: System,
    *,
    treebank: Annotated[Treebank | None, Option("Only this treebank.")] = None,
    campaign: Annotated[Campaign | None, Option("Only this campaign.")] = None,
    measures: Annotated[
        Sequence[Measure] | None,
        Option(
            "Only this measure: bleu, 'dea[advcl]', 'suspicion[(conj cc)]', 'dea[*]' for all "
            "relations; may be repeated.",
            flag="--measure",
            default="the usual metrics, human criteria, relations that changed most",
        ),
    ] = None,
    tests: Tests = "all",
    control: Control = "step",
    last: Annotated[
        int, Option("Of each test set at most this many iterations, the latest.", low=1)
    ] = LATEST,
    settings: ComparisonSettings | Fields | None = None,
    progress: Progress = silent,
    **fields: Any,
) -> History:
    """Follow a SYSTEM over its iterations.

    Every run is compared with its parent or, where none is known, with the iteration before.
    Significant changes are marked: relations by an exact test over sentences, metrics by
    approximate randomisation. P-values of primary metrics, and those of all relations, are
    corrected within each step (Holm); those of other metrics are not corrected. The comparison of a
    step is stored, and shown as stored. CSV, JSON and Parquet have one row per iteration and
    measure.

    Returns a History. ``fields`` are those of ``settings``, see
    ``queries.change.comparison.model.Settings``.

    >>> len(db.history("random", treebank="en_sample").lines)
    1
    """
    from ...queries.change.history.computing import history

    with tracker.reading() as database:
        whole = history(
            database,
            system,
            treebank=treebank,
            campaign=campaign,
            measures=measures,
            settings=settings_of(ComparisonSettings, settings, fields),
            tests=tests,
            control=control,
            last=last,
            progress=progress,
        )
    left = keep_comparisons(tracker, whole.unstored)
    return with_values(whole, notes=[*whole.notes, *left])


def years(tracker: Tracker, settings: YearsChoice | Fields | None = None, **fields: Any) -> Years:
    """Show how scores changed from year to year: the best, the median, the references.

    Each option but --kind, --shared and --chart may be repeated. Only the latest iteration of each
    system counts. A line joins the test sets of one language; where a year has several of them,
    those of one corpus.

    Returns Years. ``fields`` are those of ``settings``, see ``queries.change.years.Choice``.

    >>> years = db.years(measures=["bleu"])
    >>> [(point.system_id, point.year, round(point.score, 3)) for point in years.points[:2]]
    [('head-direction', 2023, 0.415), ('random', 2023, 0.024)]
    """
    from ...queries.change.years.reading import read_years

    return read_years(tracker.database, settings_of(YearsChoice, settings, fields))


def gate(
    tracker: Tracker,
    new: Submission,
    base: ItsBase = None,
    *,
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
    max_drop: Annotated[
        Mapping[str, float] | Sequence[str] | None,
        Option(
            "How far a measure may get worse, in points, as dea=0.5 or "
            "'dea[*]=5'; may be repeated.",
            metavar="MEASURE=LIMIT",
        ),
    ] = None,
    minimum: Annotated[
        Mapping[str, float] | Sequence[str] | None,
        Option(
            "How low a measure may be, in points, as bleu=40; may be repeated.",
            flag="--min",
            metavar="MEASURE=LIMIT",
        ),
    ] = None,
    thresholds: Annotated[
        Path | str | None,
        Option("Thresholds in a toml file; options override it.", path="file"),
    ] = None,
    allow_undefined: Annotated[
        Sequence[str], Option("Measure that may be undefined; may have *.", metavar="MEASURE")
    ] = (),
    significant: Annotated[
        bool | None,
        Option(
            "Whether a drop counts only where it is beyond its limit by more than chance.",
            flag="--significant/--any-drop",
            default="any drop, or with no limit at all: only significant ones",
        ),
    ] = None,
    non_inferior: Annotated[
        bool | None, Option("Pass only where a drop beyond the limit is ruled out.")
    ] = None,
    alpha: Annotated[Alpha | None, Option(default=f"{ALPHA}, or the file's")] = None,
    minimum_n: Annotated[
        int | None,
        Option(
            "Sentences, or edges of a relation, below which a measure cannot fail.",
            low=0,
            default="0, or the file's",
        ),
    ] = None,
    webhook: Webhook = None,
    against: str | None = None,
    settings: ComparisonSettings | Fields | None = None,
    **fields: Any,
) -> GateResult:
    """Check that submission NEW is not worse than its base by more than the thresholds allow.

    The exit code is 0 where it passes, 1 where it fails, 2 where the request makes no sense. Limits
    are in points (hundredths) for scores of 0 to 1, in bits for NIST, else in the measure's own
    unit. Without any limit it fails where NEW is worse than its base by a primary metric and by
    more than chance, as the verdict of a comparison says.

    Returns a GateResult, whose ``passed`` says whether all thresholds hold. ``max_drop`` and
    ``minimum`` give limits by measure, or as texts such as bleu=0.5; they go before those of the
    file ``thresholds``. ``significant`` and ``non_inferior`` are rules that exclude each other.
    What could not be sent to ``webhook`` is a note. ``fields`` are those of ``settings``, see
    ``queries.change.comparison.model.Settings``.

    >>> limits = {"bleu": 0.1}
    >>> db.gate("random", "head-direction", max_drop=limits, treebank="en_sample").passed
    False
    """
    from ...queries.change import thresholds as threshold_files
    from ...queries.change.gate import check_gate

    file = (
        threshold_files.read_thresholds(Path(thresholds))
        if thresholds
        else threshold_files.ThresholdFile()
    )
    own_limits = [
        threshold_files.parse_threshold(kind, text)
        for kind, limits in (("max-drop", max_drop), ("min", minimum))
        for text in (
            [f"{measure}={limit}" for measure, limit in limits.items()]
            if isinstance(limits, Mapping)
            else limits or ()
        )
    ]
    settings = settings_of(ComparisonSettings, settings, fields)
    if settings.over is not None:
        raise InputError(
            "a gate does not test over labels",
            where="over",
            hint="limit their measures: max_drop={'bleu[domain=*]': 2}",
        )
    if alpha := alpha or file.alpha:
        settings = with_values(settings, alpha=alpha)
    # What is asked for goes before the file, and either rule takes the other's place.
    if significant:
        non_inferior = bool(non_inferior)
    if non_inferior:
        significant = bool(significant)
    base = base_named(base, against)
    limits = threshold_files.merged(file.thresholds, own_limits, allow_undefined)
    if significant is None:
        significant = not (limits or non_inferior) if file.significant is None else file.significant
    as_best = f"@{BEST}" in (base or "")
    with tracker.reading() as database:
        place = {"treebank": treebank, "campaign": campaign}
        new = resolve_submission(database, new, **place)
        base = base or _run_before(database, new) or new
        try:
            base = resolve_submission(database, base, **place)
        except UnknownNameError:
            system, _, which = base.rpartition("@")
            if which != PREVIOUS or resolve_submission(database, system, **place) != new:
                raise
            base = new  # a first run has none before it
        result = check_gate(
            database,
            new,
            base,
            limits,
            significant=significant,
            non_inferior=bool(file.non_inferior if non_inferior is None else non_inferior),
            minimum_n=(file.minimum_n or 0) if minimum_n is None else minimum_n,
            settings=settings,
            chosen_from=runs_of_line(database, base) if as_best else (),
        )
    left = keep_comparisons(tracker, [result.unstored])
    note = tell_gate(webhook, result)
    return with_values(result, notes=[*result.notes, *left, *([note] if note else [])])


def primary(
    tracker: Tracker,
    *metrics: Measure,
    campaign: Annotated[
        Campaign | None, Option("Of this campaign; needed where there are several.")
    ] = None,
    default: Annotated[bool, Option("Undo the choice.")] = False,
) -> pa.Table:
    """Choose the METRICS that verdicts of a campaign rest on, or show what was chosen.

    The p-values of primary metrics are corrected for their number; all others are exploratory, each
    tested alone. Without a choice: the first usual metric of the text (chrf in raw text of
    languages that are written without blanks), and dea where there are trees.

    Returns a row for each metric that was chosen. Raises InputError where a choice is made and
    taken back.

    >>> db.primary("chrf", "dea", campaign="SAMPLE25")["metric"].to_pylist()
    ['chrf', 'dea']
    >>> db.primary(campaign="SAMPLE25", default=True).num_rows
    0
    """
    from ...queries.change.comparison.verdict import choose_metrics, chosen_metrics

    if metrics and default:
        raise InputError("a choice is either made or taken back", hint="leave out --default")
    if not metrics and not default:
        with tracker.reading() as database:
            return chosen_metrics(database, campaign)
    with tracker.writing() as database:
        return choose_metrics(database, metrics, campaign)


def _run_before(database: Database, new: str) -> str | None:
    """Return the id of the run that a run is compared with where nobody names one; None without.

    That is its parent or, where none is known, its system's iteration before.
    """
    ((base,),) = read_tuples(database, "run_before", submission=new)
    return cast("str | None", base)


def keep_comparisons(tracker: Tracker, comparisons: Sequence[Rows | None]) -> list[str]:
    """Store what was tested and is not stored yet; return a note on why, where that cannot be.

    What was tested is true all the same: who may only read, or looks at the past, keeps nothing.
    """
    from ...queries.change.comparison.stored import store

    new = [rows for rows in comparisons if rows is not None]
    if not new:
        return []
    try:
        with storing(tracker) as database:
            store(database, new)
    except DatabaseUnavailableError as error:
        tested = "the comparison was" if len(new) == 1 else f"{len(new)} comparisons were"
        return [f"{tested} tested now and not stored: {error.message}"]
    return []
