"""What is wrong with outputs for a shared task, as documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....schema.brief import plural
from ..model import Cell, Column, Document, Section
from ..tables import filled

if TYPE_CHECKING:
    from ....ingest.tasks.outputs import CheckedOutputs
    from ...task.receiving import Received, ReceivedFile


LEGEND = ["faults keep a file from being loaded, doubts do not; lines count from 1"]


def checked_document(checked: CheckedOutputs) -> Document:
    """Return what is wrong with a file."""
    return Document(
        "Check",
        f"{checked.path.name}: {_state(checked)}",
        [_section(checked)] if checked.findings else [],
        lead=_given(checked),
        legend=LEGEND if checked.findings else [],
    )


def team_document(task: str, received: Received) -> Document:
    """Return the answer to a team: what became of each of its files, and what is wrong with it."""
    files = received.files
    loaded = sum(each.submitted is not None for each in files)
    columns = [
        Column("file", "whole"),
        Column("treebank", "whole"),
        Column("state", "whole"),
        Column("texts", "whole"),
        Column("submission", "whole"),
    ]
    table = filled("Files", columns, map(_file_row, files))
    return Document(
        "Answer",
        f"{task}: what {received.team} sent",
        [
            Section("files", "Files", "Files", blocks=[table] if files else []),
            *(_section(each.checked) for each in files if each.checked.findings),
        ],
        verdict=[
            f"{loaded} of {plural(len(files), 'file')} loaded"
            + (
                f"; {received.faulty} with faults: please mend and send again"
                * bool(received.faulty)
            )
        ],
        legend=LEGEND if any(each.checked.findings for each in files) else [],
    )


def _file_row(file: ReceivedFile) -> tuple[str, ...]:
    submitted = file.submitted
    became = "not loaded"
    if submitted is not None:
        became = "loaded" if submitted.changed else "loaded before"
    return (
        file.checked.path.name,
        file.treebank_id or "",
        f"{became}: {_state(file.checked)}",
        _given(file.checked),
        submitted.submission_id if submitted else "",
    )


def _state(checked: CheckedOutputs) -> str:
    faults = len(checked.faults)
    doubts = len(checked.findings) - faults
    told = [
        f"{count} {name}{'s' * (count > 1)}"
        for count, name in ((faults, "fault"), (doubts, "doubt"))
        if count
    ]
    return ", ".join(told) or "no faults"


def _given(checked: CheckedOutputs) -> str:
    return f"{checked.given} of {checked.sentences} items have a text"


def _section(checked: CheckedOutputs) -> Section:
    columns = [
        Column("weight", "whole"),
        Column("kind", "whole"),
        Column("line", digits=0),
        Column("count", digits=0),
        Column("what", "text"),
    ]
    rows = [
        [
            Cell("fault" if each.fault else "doubt", tone="worse" if each.fault else "doubt"),
            each.kind,
            Cell("" if each.line is None else str(each.line), sort=each.line),
            Cell(str(each.count), sort=each.count),
            each.message,
        ]
        for each in checked.findings
    ]
    name = checked.path.name
    table = filled(f"Findings of {name}", columns, rows)
    return Section(f"file-{name}", name, name, blocks=[table])
