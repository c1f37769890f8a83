"""``tracker submit``, ``ingest baseline``, ``ensemble`` and ``parse``: what is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...schema.brief import plural
from ..api import loading, submitting
from .context import Context
from .operation import Shown, Values, listing, operation
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
        if document.title or document.sections:
            write_document(self.context, Destination(), lambda: document)
        if self.notes is None:
            self.notes = len(report.notes)


def _say_the_rest(context: Context, _: Tracker, report: SubmitReport, values: Values) -> None:
    """Say what was not known when the scores were shown."""
    for note in report.notes[values["tell"].notes :]:
        context.say(f"note: {note}")
    if report.logged_to:
        context.say(f"MLflow: logged ({report.logged_to})")


def _tell(context: Context, _: Destination) -> dict[str, Any]:
    return {"tell": _Teller(context)}


submit = operation(
    submitting.submit,
    Shown(passed=_tell, then=_say_the_rest),
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
    submitting.baseline,
    Shown(
        notes=_realised,
        options={"list": listing("List the baselines and stop.", _baselines)},
    ),
    progress="realising",
)


def _chosen(report: EnsembleReport) -> Iterator[str]:
    state = state_of(report.changed, "loaded and scored")
    yield f"{report.submission_id}: {state} ({report.folds} folds, seed {report.seed})"


ensemble = operation(submitting.ensemble, Shown(notes=_chosen, rows=lambda report: report.table()))


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
