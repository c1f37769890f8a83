"""Computing a history: every run tested against the run before."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from ....schema.database import Database
from ....schema.iterations import select_submissions, unknown_measure
from ....schema.progress import Progress, silent
from ....schema.statements import Row, read_rows
from ...errors.jobs import usual_metrics_of
from ...functions.statistics import lord_levels
from ..comparison.changes import METRIC
from ..comparison.model import EXPLORATORY, Change, RelationChange, Settings
from ..comparison.sides import Pairing, objections, pairings_of
from ..comparison.stored import PairTests, Rows, tested_in_turn
from ..thresholds import matches
from ..versions import version_remarks
from . import Control, History, Line, Measure, Run, Tests

RELATIONS_SHOWN = 5
NOT_TESTED = "not tested"
ONE_WITHOUT = "one of the two runs has no value"


def history(
    database: Database,
    system: str,
    *,
    treebank: str | None = None,
    campaign: str | None = None,
    measures: Sequence[str] | None = None,
    settings: Settings | None = None,
    tests: Tests = "all",
    control: Control = "step",
    last: int | None = None,
    progress: Progress = silent,
) -> History:
    """Return how a system changed: a line of runs per campaign, treebank and track.

    Each run is compared with its parent or, where none is known, the previous iteration, as in
    the view ``submission_history``. ``measures`` are names of ``submission_measures``, ``*``
    standing for any text; None for the usual metrics, human criteria, and the five relations that
    changed significantly most often. Where the settings name labels, metrics are followed over
    their values as well: those named, else the first usual one. Relations are tested all at once
    and corrected over all of a step (Holm), whichever are shown; see ``family_changes`` for others.
    What is stored of a step and still holds is read; what is ``unstored`` is to be written.
    ``tests`` may leave out the slower ones: of everything but relations, or all. ``control`` says
    what holds the error: each step is tested at the settings' alpha; or the line, where the levels
    of its steps are those of lord_levels, of each family (primary metrics, relations) and each
    exploratory measure. Both look at the same p-values. Of each line the ``last`` iterations are
    followed, None for all.

    Raises UnknownNameError where there is no such system, campaign, treebank or measure.
    """
    settings = settings or Settings()
    filters = {"system": system, "treebank": treebank, "campaign": campaign}
    submissions = select_submissions(database, filters)
    tested_last = None if control == "line" else last  # its levels rest on the steps before
    runs = read_rows(database, "history_runs", submissions=submissions, last=tested_last)
    submissions = [row["submission_id"] for row in runs]
    compared_with = {row["previous_submission_id"] for row in runs} - {None}
    if settings.over:
        measures = _over_labels(database, submissions, measures, settings.over)
    measured = read_measured(database, sorted({*submissions, *compared_with}), measures)
    metrics = settings.metrics or usual_metrics_of(database, submissions)
    chosen = chosen_measures(measured, measures, metrics)
    based = [row for row in runs if row["previous_submission_id"] is not None]
    pairs = [(row["submission_id"], row["previous_submission_id"]) for row in based]
    together = [PairTests(pairing, settings) for pairing in pairings_of(database, pairs)]
    begun = [_begun(row, pair, chosen, measured) for row, pair in zip(based, together, strict=True)]
    wanted = zip(together, (tested if tests == "all" else [] for *_, tested in begun), strict=True)
    done = zip(tested_in_turn([*wanted]), begun, strict=True)
    steps = []
    for place, row in enumerate(runs):
        progress(row["submission_id"], place, len(runs))
        if row["previous_submission_id"] is None:
            steps.append(_Step(row, {}, [], None))
        else:
            pair, step = next(done)
            steps.append(_tested(pair, *step, tests))
    progress("compared", len(runs), len(runs))
    lines = []
    for _, members in groupby(steps, lambda step: _line_of(step.row)):
        line = _controlled(list(members), settings, control)
        lines.append(_line(line[-last:] if last else line, measured, chosen, measures))
    remarks = version_remarks(database, [line.treebank_id for line in lines])
    unstored = [step.unstored for step in steps if step.unstored is not None]
    of_lines = {_line_of(row): row["iterations"] for row in runs if last}
    latest = [
        f"of {number:,} iterations on {treebank_id} the latest {last:,} are followed"
        for (_, treebank_id, _), number in of_lines.items()
        if last and number > last
    ]
    notes = [*latest, *remarks.values(), *_dated_before(runs)]
    return History(system, lines, settings, tests, notes, unstored, control)


def _over_labels(
    database: Database,
    submissions: Sequence[str],
    measures: Sequence[str] | None,
    over: Sequence[str],
) -> list[str]:
    """Return measures with those of their metrics over labels, or over LABEL=VALUE."""
    metrics = [name for name in measures or () if "[" not in name]
    if not metrics:
        there = read_measured(database, submissions, None).measures
        usual = usual_metrics_of(database, submissions)
        metrics = [name for name in usual if name in there][:1]
    names = [name if "=" in name else f"{name}=*" for name in over]
    return [*(measures or metrics), *(f"{metric}[{name}]" for metric in metrics for name in names)]


def _dated_before(runs: Sequence[Row]) -> list[str]:
    """Return a note on each run that is dated before the one that it is compared with."""
    dated = {row["submission_id"]: row["created_at"] for row in runs}
    return [
        f"{row['submission_id']} is dated {row['created_at']:%Y-%m-%d %H:%M}, before {base} "
        f"that it is compared with ({dated[base]:%Y-%m-%d %H:%M})"
        for row in runs
        for base in [row["previous_submission_id"]]
        if base in dated and row["created_at"] < dated[base]
    ]


@dataclass(frozen=True)
class _Step:
    """A run with all its relations tested, before it is known which ones are shown."""

    row: Row
    changes: Mapping[str, Change]
    relations: Sequence[RelationChange]
    not_compared: str | None
    unstored: Rows | None = None
    """What is to be stored of its tests."""
    alphas: Mapping[str, float] = field(default_factory=dict)
    """By measure: the level of its test."""

    @property
    def moved(self) -> list[RelationChange]:
        """The relations that changed significantly."""
        alphas = self.alphas
        return [item for item in self.relations if item.is_significant(alphas[item.measure])]


def _controlled(steps: Sequence[_Step], settings: Settings, control: Control) -> list[_Step]:
    """Return the steps of a line with the levels of their tests."""
    if control == "step":
        alpha = settings.alpha
        return [replace(item, alphas=dict.fromkeys(item.changes, alpha)) for item in steps]
    least: list[dict[str, float]] = [{} for _ in steps]
    for of_step, step in zip(least, steps, strict=True):
        for change in step.changes.values():
            if change.p_holm is not None:
                line = _tested_with(change)
                of_step[line] = min(change.p_holm, of_step.get(line, 1.0))
    levels = {
        line: lord_levels([of_step.get(line) for of_step in least], settings.alpha)
        for line in {line for of_step in least for line in of_step}
    }
    return [
        replace(
            step,
            alphas={
                name: levels[line][place] if (line := _tested_with(change)) in levels else 0.0
                for name, change in step.changes.items()
            },
        )
        for place, step in enumerate(steps)
    ]


def _tested_with(change: Change) -> str:
    """Return what a change is tested together with, over the line: its family, or it alone."""
    return change.measure if change.family == EXPLORATORY else change.family


def _begun(
    row: Row, pair: PairTests, chosen: Sequence[Measure], measured: Measured
) -> tuple[_Step, Mapping[str, str], list[str]]:
    """Return a step without tests, why not by which metrics, and what is to be tested."""
    metrics = [measure.name for measure in chosen if measure.kind == "metric"]
    general, barred = _barred(pair.pairing, dict.fromkeys([*metrics, METRIC]))
    if general:
        return _Step(row, {}, [], general), barred, []
    changes = {
        measure.name: _untested(measure, *pair.pairing.ids, measured, barred)
        for measure in measured.measures.values()
    }
    tested = [
        measure.name
        for measure in chosen
        if measure.kind != "relation" and changes[measure.name].undefined_reason == NOT_TESTED
    ]
    return _Step(row, changes, [], None), barred, tested


def _tested(
    pair: PairTests, step: _Step, barred: Mapping[str, str], tested: Sequence[str], tests: Tests
) -> _Step:
    if step.not_compared or tests == "none":
        return step
    relations = [] if METRIC in barred else pair.relations()
    changes = [*(pair.changes(tested) if tests == "all" else []), *relations]
    whole = tests == "all" and barred.keys().isdisjoint({*pair.primary, METRIC})
    return replace(
        step,
        changes={**step.changes, **{change.measure: change for change in changes}},
        relations=relations,
        unstored=pair.rows([]) if whole else None,
    )


def _barred(pairing: Pairing, metrics: Iterable[str]) -> tuple[str | None, dict[str, str]]:
    """Return why two runs must not be compared at all, and why not by which metrics."""
    names = list(metrics)
    if not objections(pairing, names):
        return None, {}
    general = objections(pairing, [])
    if general:
        return "; ".join(general), {}
    by_metric = {name: objections(pairing, [name]) for name in names}
    return None, {name: "; ".join(reasons) for name, reasons in by_metric.items() if reasons}


def _untested(
    measure: Measure, new: str, base: str, measured: Measured, barred: Mapping[str, str]
) -> Change:
    """Return a change without a test: its difference where both were computed the same way."""
    here = measured.values[new].get(measure.name)
    before = measured.values[base].get(measure.name)
    reason = barred.get(METRIC if measure.kind == "relation" else measure.name)
    signatures = (measured.signatures.get((side, measure.name)) for side in (new, base))
    difference = None
    if here is None or before is None:
        reason = reason or ONE_WITHOUT
    elif reason is None:
        reason = NOT_TESTED
        difference = here - before if len({*signatures}) == 1 else None
    return Change(
        measure=measure.name,
        kind=measure.kind,
        new=here,
        base=before,
        difference=difference,
        n=measured.counts.get((new, measure.name), 0),
        better=measure.better,
        undefined_reason=reason,
    )


def _line_of(row: Row) -> tuple[str, str, str]:
    return row["campaign_id"], row["treebank_id"], row["track"]


def _line(
    steps: Sequence[_Step],
    measured: Measured,
    chosen: Sequence[Measure],
    wanted: Sequence[str] | None,
) -> Line:
    """Return a line with its measures: those ``wanted`` by name, else what has a value."""
    moved = [] if wanted else _moved_most(steps, measured)
    scored = {
        name
        for step in steps
        for name, value in measured.values[step.row["submission_id"]].items()
        if wanted or value is not None
    }
    shown = [measure for measure in [*chosen, *moved] if measure.name in scored]
    names = [measure.name for measure in shown]
    return Line(*_line_of(steps[0].row), [_run(step, names, measured) for step in steps], shown)


def _run(step: _Step, names: Sequence[str], measured: Measured) -> Run:
    row = step.row
    values = measured.values[row["submission_id"]]
    return Run(
        submission_id=row["submission_id"],
        iteration=row["iteration"],
        created_at=row["created_at"],
        parent_submission_id=row["parent_submission_id"],
        previous_submission_id=row["previous_submission_id"],
        chosen=chosen_differently(row),
        values={name: values.get(name) for name in names},
        changes={name: step.changes[name] for name in names if name in step.changes},
        relations=sorted(
            step.moved, key=lambda change: (-abs(change.difference or 0), change.measure)
        ),
        not_compared=step.not_compared,
        alphas={name: step.alphas[name] for name in names if name in step.changes},
    )


def _moved_most(steps: Sequence[_Step], measured: Measured) -> list[Measure]:
    """Return the relations that changed significantly most often, then most."""
    moved = [
        change for step in steps for change in step.moved if change.measure in measured.measures
    ]
    times = Counter(change.measure for change in moved)
    largest: dict[str, float] = {}
    for change in moved:
        size = abs(change.difference or 0.0)
        largest[change.measure] = max(size, largest.get(change.measure, 0.0))
    order = sorted(times, key=lambda name: (-times[name], -largest[name], name))
    return [measured.measures[name] for name in order[:RELATIONS_SHOWN]]


@dataclass(frozen=True)
class Measured:
    """What was measured of some submissions."""

    measures: dict[str, Measure]
    values: dict[str, dict[str, float | None]]
    """By submission and measure."""
    counts: dict[tuple[str, str], int]
    """Sentences or edges that a submission's measure rests on."""
    signatures: dict[tuple[str, str], str | None]
    """How a submission's measure was computed."""


def read_measured(
    database: Database, submissions: Sequence[str], names: Sequence[str] | None
) -> Measured:
    """Return what was measured: measures by these names, or metrics, criteria and relations.

    In a name ``*`` stands for any text: ``dea[*]`` for all relations.

    Raises UnknownNameError for a name that no measure of these submissions has.
    """
    fitting = [re.escape(name).replace(r"\*", ".*") for name in names or ()]
    rows = read_rows(
        database,
        "history_measures",
        submissions=submissions,
        names="|".join(fitting) if names else None,
    )
    if names:
        rows = [row for row in rows if any(matches(name, row["measure"]) for name in names)]
    measures = {row["measure"]: Measure(row["measure"], row["kind"], row["better"]) for row in rows}
    for name in names or ():
        if not any(matches(name, measure) for measure in measures):
            message = f"no run of the system has the measure '{name}'"
            raise unknown_measure(database, name, submissions, message)
    values: dict[str, dict[str, float | None]] = {name: {} for name in submissions}
    for row in rows:
        values[row["submission_id"]][row["measure"]] = row["score"]
    counts = {(row["submission_id"], row["measure"]): row["n"] for row in rows}
    signatures = {(row["submission_id"], row["measure"]): row["signature_id"] for row in rows}
    return Measured(measures, values, counts, signatures)


def chosen_measures(
    measured: Measured, names: Sequence[str] | None, metrics: Sequence[str]
) -> list[Measure]:
    """Return the measures that a history shows, in the order of the names.

    Without names: the metrics, then human criteria.
    """
    if names:
        wanted = (
            measure
            for name in names
            for measure in measured.measures.values()
            if matches(name, measure.name)
        )
        return list(dict.fromkeys(wanted))
    shown = [name for name in metrics if name in measured.measures]
    human = [name for name, measure in measured.measures.items() if measure.kind == "human"]
    return [measured.measures[name] for name in [*shown, *human]]


def chosen_differently(row: Row) -> dict[str, tuple[Any, Any]]:
    """Return the params and tags of a run that are not those of the run before: before and now."""
    if row["previous_submission_id"] is None:
        return {}
    choices = {}
    for column, prefix in (("params", ""), ("tags", "tag ")):
        now = json.loads(row[column] or "{}")
        before = json.loads(row[f"previous_{column}"] or "{}")
        for name in sorted({*now, *before}):
            if now.get(name) != before.get(name):
                choices[prefix + name] = (before.get(name), now.get(name))
    return choices
