"""``tracker ingest`` and ``submit``: files go in, and what is made of what is there."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click
from click.core import ParameterSource

from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.parameters import File, Option
from .. import making
from .. import submit as submission
from ..api import external, loading, submitting
from ..show.terminal import LOOK
from .computing import beside_notes, page_in_mlflow
from .context import Context
from .groups import SuggestingGroup
from .operation import operation as any_operation
from .output import Destination, state_of, write_document
from .shown import STDOUT, Shown, Values, listing

if TYPE_CHECKING:
    from ...ingest.campaigns.loading import Report
    from ...ingest.judgements.loading import JudgementReport
    from ...ingest.outputs.submissions import Submitted
    from ...ingest.treebanks.parsed_references import Parsed
    from ...queries.errors.ensemble import EnsembleReport
    from ...queries.metrics.external import StoredScores
    from ..api.submitting import LogReport
    from ..api.tracker import Tracker
    from ..submit import SubmitReport


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
        raise InputError(f"{flag} is for one treebank, but there are several files", hint=hint)


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
    hint = "'tracker score' scores its outputs anew"
    outputs = tracker.show("submission_overview", treebank=treebank_id).num_rows if changed else 0
    state = f"{treebank_id}: {state_of(changed)}, {sentences} without trees"
    return [state, *([hint] if outputs else [])]


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
        yield f"registered: {name}"
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
        yield from (f"note: {note}" for note in scores.notes)


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
operation(submitting.ingest_log, Shown(notes=_log), analysed=True)
operation(external.ingest_metric_scores, Shown(notes=stored_notes))
operation(external.ingest_judgements, Shown(prepare=external.judging_read, notes=_judgements))


class _Teller:
    """Shows what changed, as soon as it is known: scores first, then patterns."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.notes: int | None = None
        """How many notes were shown with the scores."""

    def __call__(self, report: SubmitReport) -> None:
        from ..show.findings.submission import patterns_document, submission_document

        made = submission_document if self.notes is None else patterns_document
        document = made(report)
        on_stdout = click.get_current_context().params.get("json_file") == STDOUT
        if (document.title or document.sections) and not on_stdout:
            write_document(self.context, Destination(), lambda: document)
        if self.notes is None:
            self.notes = len(report.notes)


def _say_the_rest(context: Context, _: Tracker, report: SubmitReport, values: Values) -> None:
    """Say what was not known when the scores were shown."""
    for note in report.notes[values["tell"].notes :]:
        context.say(f"note: {note}")
    if report.logged is not None:
        context.say(f"MLflow: logged; {page_in_mlflow(report.logged)}")
    elif report.logged_to:
        context.say(f"MLflow: logged ({report.logged_to})")
    context.say(f"{LOOK}{_where_to_look(report.submission_id)}")


def _where_to_look(submission_id: str) -> str:
    """Return the address of a submission's page, or the command that opens it."""
    from ..webhook import page_address

    root = click.get_current_context().find_root()
    named = root.get_parameter_source("database") is ParameterSource.COMMANDLINE
    database = ["--database", str(root.params["database"])] if named else []
    command = shlex.join(["tracker", *database, "serve", "--open", submission_id])
    return page_address(submission_id) or command


def _tell(context: Context, _: Destination) -> dict[str, Any]:
    return {"tell": _Teller(context)}


def _as_json(report: SubmitReport) -> bytes:
    from ...queries.formats import json_text
    from ..webhook import submission_content

    return json_text(submission_content(report)).encode()


submit = any_operation(
    submission.submit,
    Shown(
        passed=_tell,
        files={
            "json_file": (
                Annotated[File, Option("Write the result to this file as JSON.", flag="--json")],
                _as_json,
            )
        },
        then=_say_the_rest,
    ),
    progress="submitting",
    analysed=True,
    creating="references",
    threads=1,
)


def _baselines() -> Iterator[str]:
    from ..baselines import BASELINES

    for name, baseline in BASELINES.items():
        yield f"{name:16} {baseline.description}"


def _realised(runs: Sequence[Submitted]) -> Iterator[str]:
    for run in runs:
        state = state_of(run.changed, "loaded")
        yield f"{run.submission_id}: {state}, {plural(run.sentences, 'output')}"


baseline = any_operation(
    making.baseline,
    Shown(
        notes=_realised,
        options={"list": listing("List the baselines and stop.", _baselines)},
    ),
    progress="realising",
)


def _chosen(report: EnsembleReport) -> Iterator[str]:
    state = state_of(report.changed, "loaded and scored")
    yield f"{report.submission_id}: {state} ({report.folds} folds, seed {report.seed})"


ensemble = any_operation(making.ensemble, Shown(notes=_chosen, rows=lambda report: report.table()))


def _parsed(parsed: Parsed, undo: bool) -> str:
    if undo:
        done = "its trees are gone" if parsed.changed else "it has no trees of a parser"
        return f"{parsed.treebank}: {done}"
    state = plural(parsed.tokens, "word") if parsed.changed else "nothing new"
    return (
        f"{parsed.treebank}: {state}, parsed by {parsed.analysis}; outputs of "
        f"{plural(len(parsed.submissions), 'submission')} analysed"
    )


parse = any_operation(loading.parse, Shown(done=_parsed), progress="parsing")
