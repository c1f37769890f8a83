"""``tracker score``, ``analyse`` and ``significance`` compute what is missing; ``human``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack, cast

from ...queries.change.significance import Settings as SignificanceSettings
from ...queries.errors import Settings, Wanted
from ...queries.metrics.registry import scorable_metrics
from ...queries.metrics.signatures import notes_on
from ...queries.people.human_scores import HumanSettings
from ...schema.brief import listed, plural
from ...schema.errors import TrackerError
from ...schema.iterations import FILTERS
from ...schema.parameters import Log, Option, TrackingUri
from ...schema.statements import read_rows, read_table
from ..api import computing, querying
from ..api.methods import settings_of
from ..show.terminal import LOOK
from .context import Context
from .operation import operation
from .shown import Own, Shown, Values, listing

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.change.significance import SignificanceReport
    from ...queries.errors.jobs import AnalysisReport
    from ...queries.errors.selection import Selection
    from ...queries.metrics.scoring import ScoreReport
    from ...queries.people import HumanReport
    from ...queries.system_correlations import SystemCorrelations
    from ...schema.database import Database
    from ...schema.statements import Row
    from ..api.methods import Filters
    from ..api.tracker import Tracker
    from ..experiments import LogReport
    from ..show.model import Document, Table


LOGS = {"log": Own(Log, True), "tracking_uri": Own(TrackingUri)}
"""Options of commands after which submissions are logged to MLflow."""


def _metrics() -> Iterator[str]:
    from ...queries.metrics import metrics

    for metric in metrics().values():
        on_request = " (on request)" if metric.on_request else ""
        yield f"{metric.name:14} {metric.description}{on_request}"


def _scored(report: ScoreReport) -> Iterator[str]:
    yield (
        f"{plural(report.treebanks, 'treebank')} analysed, "
        f"{plural(report.scores, 'score')} computed for {plural(report.submissions, 'submission')}"
        if report.scores or report.treebanks
        else "nothing to compute: all scores are there"
    )
    yield from beside_notes(report.beside)


def _log(context: Context, tracker: Tracker, _: ScoreReport, values: Values) -> None:
    if values["log"]:
        log_if_possible(context, tracker, values["tracking_uri"], **_filters(values))


def _filters(values: Values) -> Filters:
    return cast("Filters", {name: values[name] for name in FILTERS if name in values})


score = operation(
    computing.score,
    Shown(
        notes=_scored,
        options={"list_metrics": listing("List the metrics and stop.", _metrics), **LOGS},
        then=_log,
    ),
    progress="scoring",
)


def log_if_possible(
    context: Context,
    tracker: Tracker,
    tracking_uri: str | None = None,
    **filters: Unpack[Filters],
) -> None:
    """Log submissions; where that fails, say so: 'tracker share log' catches up."""
    try:
        with context.progress("logging") as progress:
            report = tracker.log(tracking_uri=tracking_uri, progress=progress, **filters)
        context.say(logged(report))
    except TrackerError as error:
        context.say(f"not logged to MLflow: {error}")


def logged(report: LogReport) -> str:
    """Return what to say of submissions that were logged."""
    done = f"{plural(report.logged, 'run')} logged, {report.unchanged} unchanged"
    return f"MLflow: {done} ({report.tracking_uri})\n{page_in_mlflow(report)}"


def page_in_mlflow(report: LogReport) -> str:
    """Return where to look at what was logged, after the command that serves it if it takes one."""
    command = f"{report.viewer}, then " if report.viewer else ""
    return f"{LOOK}{command}{report.address}"


def _score_first(context: Context, tracker: Tracker, values: Values) -> None:
    """Score what is not scored yet, where the metric needs no rules, parser or model."""
    scorable = {metric.name for metric in scorable_metrics()}
    wanted = [name for name in values.get("metrics", ()) if name in scorable]
    submissions = tracker.select(**_filters(values))
    if wanted or "metrics" not in values:
        with context.progress("scoring") as progress:
            tracker.score(
                submissions=submissions,
                metrics=wanted or None,
                scheduler=values.get("scheduler"),
                progress=progress,
            )


def _analysed(report: AnalysisReport) -> Iterator[str]:
    yield (
        f"{report.analyses:,} analyses of {plural(report.submissions, 'submission')}"
        if report.analyses
        else "nothing to analyse: all analyses are there"
    )
    if report.unscored:
        yield f"note: {plural(len(report.unscored), 'submission')} without a score passed over"


analyse = operation(
    computing.analyse,
    Shown(first=_score_first, notes=_analysed),
    settings=Settings,
    progress="analysing",
)


choose = operation(computing.choose, Shown(rows=lambda rows: rows))


def beside_notes(beside: Mapping[str, str]) -> list[str]:
    """Return on which test sets scores stand beside the score, as other settings are chosen."""
    return [f"note: {note}" for note in notes_on(beside)]


def _tested(report: SignificanceReport) -> Iterator[str]:
    yield (
        f"{plural(report.intervals, 'interval')} and "
        f"{plural(report.comparisons, 'comparison')} computed"
        if report.intervals or report.comparisons
        else "nothing to compute: all intervals and comparisons are there"
    )
    yield "'tracker show verdicts' says who is better, 'tracker show measure_changes' by how much"
    if report.barred:
        yield (
            f"note: {plural(report.barred, 'pair')} left out that must not be compared: "
            "'tracker compare' says why"
        )


significance = operation(
    computing.significance,
    Shown(first=_score_first, notes=_tested),
    settings=SignificanceSettings,
    progress="testing",
)


FEW_MEASURES = 4
"""So many measures have columns of their own beside a test set; of more each has a row."""


def _of_test_sets(result: SystemCorrelations) -> pa.Table:
    """Return a row for each test set and choice of outliers, or for each measure of these.

    In a row with several measures, systems are the fewest that one of them has.
    """
    import pyarrow as pa

    keys = ["year", "campaign_id", "treebank_id", "pair", "against", "outliers"]
    defined = [row for row in result.correlations.to_pylist() if row["coefficient"] is not None]
    if len({row["measure"] for row in defined}) > FEW_MEASURES:
        names = [*keys, "measure", "systems", "coefficient", "p_value"]
        rows = [{name: row[name] for name in names} for row in defined]
    else:
        by_test_set: dict[tuple[str, ...], Row] = {}
        for one in defined:
            about = {name: one[name] for name in keys}
            row = by_test_set.setdefault((*map(str, about.values()),), about)
            row["systems"] = min(row.get("systems", one["systems"]), one["systems"])
            row[one["measure"]] = one["coefficient"]
            row[f"p {one['measure']}"] = one["p_value"]
        rows = [*by_test_set.values()]
        names = [*dict.fromkeys(name for row in rows for name in row)]
    empty = [name for name in ("year", "pair") if all(row[name] is None for row in rows)]
    return pa.Table.from_pylist([{name: row.get(name) for name in names} for row in rows]).select(
        [name for name in names if name not in empty]
    )


def _correlation_notes(result: SystemCorrelations) -> Iterable[str]:
    """Return what there is to say of test sets; measures of which it is the same share a line."""
    measures: dict[str, list[str]] = {}
    for one in result.correlations.to_pylist():
        where, against = one["pair"] or one["treebank_id"], one["against"]
        notes = []
        if one["removed"]:
            notes.append(f"{where}: outliers are {listed(one['removed'])}")
        if one["unmatched"]:
            systems = listed(one["unmatched"])
            notes.append(f"{where}: {systems} left out, which have no score by {against} or by ")
        if one["undefined_reason"]:
            notes.append(f"{where}: {one['undefined_reason']}: no correlation of {against} with ")
        for note in notes:
            measures.setdefault(note, []).append(one["measure"])
    for note, names in measures.items():
        yield note + (listed([*dict.fromkeys(names)]) if note.endswith(" ") else "")


CORRELATED = Shown(
    rows=lambda result: result.correlations,
    on_terminal=_of_test_sets,
    scores=False,
    notes=_correlation_notes,
    chart=lambda draw, result, _: draw("systems_scatter", result.systems, "Systems"),
    chart_options={"help": "Draw the systems in this file: .png, .svg, .html or .json."},
)
correlate = operation(querying.correlate, CORRELATED)


SHOWN_ANNOTATORS = 20


@dataclass(frozen=True)
class _Evaluated:
    """What is shown of an evaluation by people."""

    report: HumanReport
    settings: HumanSettings
    rows: pa.Table
    """Rankings, or comparisons where they are shown head to head."""
    failed: list[str]
    """A line for each annotator who failed quality control."""
    head_to_head: bool

    def tables(self) -> list[Table]:
        """Return the rows as tables."""
        from ..show.findings import people as shown

        made = shown.head_to_head_tables if self.head_to_head else shown.ranking_tables
        return made(self.rows.to_pylist(), self.settings)

    def notes(self) -> Iterator[str]:
        """Yield what is said beside the rows."""
        yield from self.report.notes
        yield from self.failed[:SHOWN_ANNOTATORS]
        if len(self.failed) > SHOWN_ANNOTATORS:
            yield (
                f"{len(self.failed) - SHOWN_ANNOTATORS} more failed: "
                "tracker show annotators --where 'NOT passed'"
            )


def _read(tracker: Tracker, report: HumanReport, values: Values) -> _Evaluated:
    named = {name: values[name] for name in HumanSettings.__dataclass_fields__ if name in values}
    head_to_head = values["head_to_head"]
    with tracker.reading() as database:
        return _Evaluated(
            report,
            settings_of(HumanSettings, named),
            _evaluated(database, report, head_to_head=head_to_head),
            _failed(database, report),
            head_to_head,
        )


def _document(evaluated: _Evaluated) -> Document | None:
    from ..show.findings.people import head_to_head

    return head_to_head(evaluated.tables()) if evaluated.head_to_head else None


human = operation(
    computing.human,
    Shown(
        _document,
        read=_read,
        rows=lambda evaluated: evaluated.rows,
        tables=_Evaluated.tables,
        notes=_Evaluated.notes,
        options={
            "head_to_head": Own(
                Annotated[
                    bool,
                    Option(
                        "Show differences between every two systems with their significance, not "
                        "the ranking."
                    ),
                ],
                False,
            )
        },
    ),
    settings=HumanSettings,
    progress="evaluating",
)


def _evaluated(database: Database, report: HumanReport, *, head_to_head: bool) -> pa.Table:
    """Return the rankings, or the comparisons, by the annotators whose judgements count."""
    evaluated = [
        {"campaign_id": campaign.campaign_id, "criterion": criterion}
        for campaign in report.campaigns
        for criterion in campaign.chosen
    ]
    name = "evaluated_comparisons" if head_to_head else "evaluated_rankings"
    return read_table(database, name, evaluated=evaluated)


def _failed(database: Database, report: HumanReport) -> list[str]:
    """Return a line for each annotator who failed quality control, with the numbers."""
    lines = []
    for campaign in report.campaigns:
        rows = read_rows(
            database,
            "failed_annotators",
            campaign=campaign.campaign_id,
            criteria=list(campaign.chosen),
        )
        lines += [_line(campaign.campaign_id, **row) for row in rows]
    return lines


def _line(
    campaign_id: str,
    annotator_id: str,
    criterion: str,
    reason: str,
    degraded_difference: float,
    degraded_pairs: int,
    degraded_p_value: float | None,
    repeat_difference: float | None,
    repeat_pairs: int,
    reference_mean: float | None,
    references_judged: int,
) -> str:
    numbers = [f"{degraded_difference:.1f} lower in {plural(degraded_pairs, 'pair')}"]
    numbers += [] if degraded_p_value is None else [f"p = {degraded_p_value:.3f}"]
    if repeat_difference is not None:
        numbers.append(f"{plural(repeat_pairs, 'repeat')} off by {repeat_difference:.1f}")
    if reference_mean is not None:
        numbers.append(f"{plural(references_judged, 'reference')} at {reference_mean:.1f}")
    return f"failed: {annotator_id} ({campaign_id}, {criterion}): {reason} ({'; '.join(numbers)})"


def _targets(selection: Selection) -> Table:
    from ..show.model import Column
    from ..show.tables import table

    columns = {name: Column(name, "text") for name in ("kind", "name")}
    columns |= {name: Column(name) for name in ("weight", "sentences", "chosen")}
    rows = [{name: getattr(target, name) for name in columns} for target in selection.targets]
    return table("Targets", columns, rows)


def _selected(selection: Selection, output: Path) -> str:
    line = f"{output}: {plural(len(selection.sentence_nos), 'sentence')}"
    wanted = selection.wanted
    if wanted.patterns and not any(target.kind == "pattern" for target in selection.targets):
        which = f"labels {wanted.labels}, metric {wanted.metric}"
        return f"no pattern is suspicious ({which})\n{line}"
    return line


select_training = operation(
    querying.select_training,
    Shown(aside=_targets, done=_selected),
    settings=Wanted,
)
