"""``tracker submit``: outputs go in, what changed comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..api import submitting
from .context import Context
from .operation import Shown, Values, operation
from .output import Destination, write_document

if TYPE_CHECKING:
    from ..api import Tracker
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
    threads=1,
)
