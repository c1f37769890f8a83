"""``tracker ingest``: files go in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...schema.brief import plural
from ...schema.errors import InputError
from ..api import external, loading, logs, submitting
from .computing import beside_notes
from .context import Context
from .groups import SuggestingGroup
from .operation import Shown, Values
from .operation import operation as any_operation
from .output import state_of

if TYPE_CHECKING:
    from ...ingest.campaigns.loading import Report
    from ...ingest.judgements.loading import JudgementReport
    from ...ingest.outputs.submissions import Submitted
    from ...queries.metrics.external import StoredScores
    from ..api.logs import LogReport
    from ..api.tracker import Tracker


class IngestGroup(SuggestingGroup):
    """A group whose unknown commands are taken for manifests: ``ingest campaign.toml``."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command, ``campaign`` where the first argument is a .toml file."""
        if args and args[0].endswith(".toml"):
            args = ["campaign", *args]
        return super().resolve_command(ctx, args)


@click.group(cls=IngestGroup, name="ingest")
def ingest() -> None:
    """Load files into the database.

    'tracker ingest campaign.toml' loads everything a manifest names. Files that are loaded already
    are skipped, so an interrupted load continues.
    """


operation = partial(any_operation, group=ingest, progress="loading", create=True)


def _submitted(run: Submitted) -> Iterator[str]:
    for warning in run.warnings:
        yield f"note: {warning}"
    yield from _missing(run)


def _missing(run: Submitted) -> Iterator[str]:
    if run.missing:
        of = plural(run.sentences, "sentence")
        yield f"{run.submission_id}: {run.missing:,} of {of} have no output and score 0"


def _campaign(report: Report) -> Iterator[str]:
    yield (
        f"{plural(report.files, 'file')}: {plural(report.treebanks, 'new treebank')}, "
        f"{plural(sum(s.changed for s in report.submissions), 'new submission')}, "
        f"{plural(report.human_scores, 'new human score')}, "
        f"{plural(report.judgements, 'new judgement')}; "
        f"{report.unchanged} were loaded before"
    )
    if report.graphs:
        yield f"{plural(report.graphs, 'new file')} of parsed graphs"
    for warning in report.warnings:
        yield f"note: {warning}"
    for run in report.submissions:
        yield from _missing(run)


def _check_single(_: Context, __: Tracker, values: Values) -> None:
    """Raise InputError where what is of one treebank is said of several."""
    flags = {"treebank": "--id", "sources": "--sources", "documents": "--documents"}
    flag = next((flag for name, flag in flags.items() if values.get(name)), None)
    if flag and len(values["path"]) > 1:
        hint = "load the files one by one"
        raise InputError(f"{flag} is of one treebank, there are several files", hint=hint)


def _treebank(tracker: Tracker, result: tuple[str, bool], _: Values) -> list[str]:
    treebank_id, changed = result
    (row,) = tracker.show("treebank", treebank=treebank_id).to_pylist()
    size = f"{plural(row['sentences'], 'sentence')}, {plural(row['tokens'], 'word')}"
    return [f"{treebank_id}: {state_of(changed)}, {size}"]


def _references(tracker: Tracker, result: tuple[str, bool], values: Values) -> list[str]:
    treebank_id, changed = result
    if alternative := values.get("alternative"):
        return [f"{treebank_id}: other references {alternative}: {state_of(changed)}"]
    (row,) = tracker.show("treebank", treebank=treebank_id).to_pylist()
    sentences = plural(row["sentences"], "sentence")
    return [f"{treebank_id}: {state_of(changed)}, {sentences} without trees"]


def _labels(changed: Sequence[str]) -> list[str]:
    return [f"{plural(len(changed), 'label')}: {', '.join(changed)}" if changed else "nothing new"]


def _submission(run: Submitted) -> Iterator[str]:
    yield (
        f"{run.submission_id}: {state_of(run.changed)}, "
        f"{plural(run.sentences - run.missing, 'output')}, "
        f"compared with the reference {run.reference_form}"
    )
    yield from _submitted(run)


def _scores(new: int, path: Path) -> list[str]:
    return [f"{path.name}: {plural(new, 'new score') if new else 'nothing new'}"]


def _judgements(report: JudgementReport, path: Path) -> Iterator[str]:
    for name in report.registered:
        yield f"made known: {name}"
    for warning in report.warnings:
        yield f"note: {warning}"
    if report.left_out:
        yield f"{plural(report.left_out, 'judgement')} by other annotators left out"
    yield (
        f"{path.name}: {plural(report.new, 'new judgement')}, {report.unchanged:,} there already"
        if report.new
        else f"{path.name}: nothing new, {plural(report.unchanged, 'judgement')} there already"
    )


def stored_notes(stored: Sequence[StoredScores]) -> Iterator[str]:
    """Yield what became of the scores of each metric."""
    for scores in stored:
        yield (
            f"{scores.metric}: {plural(scores.submissions, 'submission')}, "
            f"{plural(scores.sentences, 'score')} of sentences, {scores.better} is better"
            if scores.submissions
            else f"{scores.metric}: nothing new"
        )
        yield from beside_notes(scores.beside)


def _log(report: LogReport) -> Iterator[str]:
    state = state_of(report.new, "loaded")
    metrics = f", scored by {', '.join(report.metrics)}" if report.metrics else ""
    yield f"{report.submission_id}: {state}, {plural(report.samples, 'sample')}{metrics}"
    if report.missing:
        yield f"{report.submission_id}: {report.missing:,} of them have no output"
    if report.chosen:
        yield f"verdicts rest on {report.chosen} from now on; 'tracker keep primary' chooses others"
    for note in report.notes:
        yield f"note: {note}"


operation(loading.ingest_campaign, Shown(notes=_campaign), analysed=True)
operation(
    loading.ingest_treebank, Shown(first=_check_single, read=_treebank, notes=lambda lines: lines)
)
operation(loading.ingest_references, Shown(read=_references, notes=lambda lines: lines))
operation(loading.ingest_labels, Shown(notes=_labels))
operation(submitting.ingest_submission, Shown(notes=_submission), analysed=True)
operation(external.ingest_scores, Shown(notes=_scores))
operation(logs.ingest_log, Shown(notes=_log), analysed=True)
operation(external.ingest_metric_scores, Shown(notes=stored_notes))
operation(external.ingest_judgements, Shown(prepare=external.judging_read, notes=_judgements))
