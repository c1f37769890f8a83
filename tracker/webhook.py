"""Where else a verdict is told: at the address of its page, and to a webhook, as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from ..schema.errors import TrackerError, visible
from ..schema.parameters import Option

if TYPE_CHECKING:
    from ..queries.change.gate import GateResult
    from .submit import SubmitReport

VARIABLE = "TRACKER_WEBHOOK"
"""The environment variable with the address, which is a secret where a token is in it."""
Webhook: TypeAlias = Annotated[
    str | None,
    Option(
        "Send the verdict to this address as JSON, whose text Slack and its like show.",
        metavar="ADDRESS",
        of_machine=True,
        default=f"what {VARIABLE} says, or nowhere",
    ),
]
_PATIENCE = 5.0
"""Seconds to wait for an answer."""
_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
"""What Slack takes for markup: <!channel> would call everybody."""


def page_address(submission_id: str, base: str | None = None) -> str | None:
    """Return the address of a submission's page, or of its comparison with a base.

    None where the environment does not say where the explorer is.
    """
    from .experiments import explorer_address
    from .pages.addresses import address

    try:
        explorer = explorer_address()
    except TrackerError:
        return None
    if explorer is None or not explorer.startswith("http"):
        return None
    if base is None:
        return explorer + address("/submission", submission_id)
    return explorer + address("/compare", new=submission_id, base=base)


def submission_content(report: SubmitReport) -> dict[str, Any]:
    """Return what became of outputs, as plain values."""
    comparison = report.comparison
    return {
        "event": "submit",
        "submission": report.submission_id,
        "base": None if comparison is None else comparison.base.submission_id,
        "new": report.new,
        "outcome": None if comparison is None else comparison.outcome,
        "verdict": [] if comparison is None else [*comparison.verdict],
        "scores": dict(report.scores),
        "changes": [
            {
                name: getattr(change, name)
                for name in ("measure", "base", "new", "difference", "low", "high", "p_holm")
            }
            for change in (() if comparison is None else comparison.metrics)
        ],
        "notes": list(report.notes),
        "run": None if report.logged is None else report.logged.address,
    }


def tell_submission(webhook: str | None, report: SubmitReport) -> str:
    """Send what became of outputs; return a note on why it could not be, empty where it was."""
    from ..queries.metrics.registry import label_of
    from ..queries.numbers import with_unit

    content = submission_content(report)
    scores = ", ".join(
        f"{label_of(metric)} {with_unit(metric, value)}"
        for metric, value in report.scores.items()
        if value is not None
    )
    lines = [report.submission_id, *(content["verdict"] or [scores])]
    return _tell(webhook, lines, content, page_address(report.submission_id))


def tell_gate(webhook: str | None, result: GateResult) -> str:
    """Send what a gate found; return a note on why it could not be, empty where it was."""
    from .show.findings.gate import gate_summary
    from .show.json_forms import gate_json

    summary = gate_summary(result, None)
    new, base = result.new.submission_id, result.base.submission_id
    content = {"event": "gate", "verdict": [*summary.verdict], **json.loads(gate_json(result))}
    return _tell(webhook, [summary.title, *summary.verdict], content, page_address(new, base))


def _tell(
    webhook: str | None, lines: list[str], content: Mapping[str, Any], page: str | None
) -> str:
    """Send a verdict to an address, that of the environment where none is named."""
    from ..queries.formats import json_text
    from ..schema.web import send_json

    to = webhook or os.environ.get(VARIABLE)
    if not to:
        return ""
    text = "\n".join(map(visible, filter(None, lines)))
    for sign, entity in _MARKUP.items():
        text = text.replace(sign, entity)
    body = {"text": "\n".join([text, *([page] if page else [])]), **content, "address": page}
    reason = send_json(to.strip(), json_text(body).encode(), _PATIENCE)
    return f"the webhook was not told: {reason}" if reason else ""
