"""``tracker submit``, ``ingest baseline``, ``ensemble`` and ``parse``: what is made."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import click
from click.core import ParameterSource

from ...schema.brief import plural
from ...schema.parameters import File, Option
from .. import making
from ..api import loading, submitting
from .computing import page_in_mlflow
from .context import Context
from .operation import STDOUT, Shown, Values, listing, operation
from .output import Destination, state_of, write_document

if TYPE_CHECKING:
    from ...ingest.outputs.submissions import Submitted
    from ...ingest.treebanks.parsed_references import Parsed
    from ...queries.errors.ensemble import EnsembleReport
    from ..api.tracker import Tracker
    from ..submit import SubmitReport


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
    context.say(f"look: {_where_to_look(report.submission_id)}")


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


submit = operation(
    submitting.submit,
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


baseline = operation(
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


ensemble = operation(making.ensemble, Shown(notes=_chosen, rows=lambda report: report.table()))


def _parsed(parsed: Parsed, undo: bool) -> str:
    if undo:
        done = "its trees are gone" if parsed.changed else "it has no trees of a parser"
        return f"{parsed.treebank}: {done}"
    state = plural(parsed.tokens, "word") if parsed.changed else "nothing new"
    return (
        f"{parsed.treebank}: {state}, parsed by {parsed.analysis}; outputs of "
        f"{plural(len(parsed.submissions), 'submission')} analysed"
    )


parse = operation(loading.parse, Shown(done=_parsed), progress="parsing")
