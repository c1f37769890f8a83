"""``tracker ingest baseline``, ``carry``, ``ensemble``: submissions made of what is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...schema.brief import plural
from ..api import submitting
from .operation import Shown, listing, operation

if TYPE_CHECKING:
    from ...ingest.outputs.submissions import Submitted
    from ...queries.errors.ensemble import EnsembleReport


def _state(changed: bool, new: str) -> str:
    return new if changed else "nothing new"


def _baselines() -> Iterator[str]:
    from ..baselines import BASELINES

    for name, baseline in BASELINES.items():
        yield f"{name:16} {baseline.description}"


def _realised(runs: Sequence[Submitted]) -> Iterator[str]:
    for run in runs:
        state = _state(run.changed, "loaded")
        yield f"{run.submission_id}: {state}, {plural(run.sentences, 'output')}"


baseline = operation(
    submitting.baseline,
    Shown(
        notes=_realised,
        options={"list": listing("List the baselines and stop.", _baselines)},
    ),
    progress="realising",
)


def _carried(runs: Sequence[Submitted]) -> Iterator[str]:
    for run in runs:
        state = _state(run.changed, "loaded and scored")
        yield f"{run.submission_id}: {state}, {plural(run.missing, 'sentence')} without an output"


carry = operation(submitting.carry, Shown(notes=_carried), progress="carrying")


def _chosen(report: EnsembleReport) -> Iterator[str]:
    state = _state(report.changed, "loaded and scored")
    yield f"{report.submission_id}: {state} ({report.folds} folds, seed {report.seed})"


ensemble = operation(submitting.ensemble, Shown(notes=_chosen, rows=lambda report: report.table()))
