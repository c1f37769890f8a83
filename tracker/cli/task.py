"""``tracker task``: a shared task made, its outputs checked and received."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...schema.brief import plural
from ...schema.errors import CheckFailedError
from ..api import tasks
from .groups import SuggestingGroup
from .operation import Shown, operation

if TYPE_CHECKING:
    from ...ingest.tasks.outputs import CheckedOutputs
    from ..task.making import Task
    from ..task.receiving import Received


@click.group(cls=SuggestingGroup, name="task")
def task() -> None:
    """Organise a surface realisation task, or take part in one."""


def _made(result: tuple[Task, bool], folder: Path) -> Iterator[str]:
    made, changed = result
    sentences = sum(treebank.sentences for treebank in made.treebanks)
    yield (
        f"{folder}: {'written' if changed else 'nothing new'}, "
        f"{plural(len(made.treebanks), 'treebank')}, {plural(sentences, 'sentence')}"
    )


def _treebanks(result: tuple[Task, bool]) -> Iterator[str]:
    for treebank in result[0].treebanks:
        sentences, words = plural(treebank.sentences, "sentence"), plural(treebank.words, "word")
        yield f"{treebank.name}: {sentences}, {words}"


def _content(checked: CheckedOutputs) -> dict[str, Any]:
    findings = [vars(finding) for finding in checked.findings]
    return {**vars(checked), "path": str(checked.path), "findings": findings}


def _check(checked: CheckedOutputs) -> None:
    """Raise CheckFailedError where the file has faults."""
    if checked.faults:
        raise CheckFailedError(
            f"the file has {len(checked.faults)} kinds of faults",
            where=str(checked.path),
            hint="mend them: it would not be loaded",
        )


def _received(teams: Sequence[Received]) -> Iterator[str]:
    for team in teams:
        loaded = sum(file.submitted is not None for file in team.files)
        files = plural(len(team.files), "file")
        yield f"{team.team}: {loaded} of {files} loaded ({team.page})"


def _check_received(teams: Sequence[Received]) -> None:
    """Raise CheckFailedError where some files were not loaded."""
    faulty = sum(team.faulty for team in teams)
    if faulty:
        raise CheckFailedError(
            f"{faulty} files have faults and were not loaded", hint="the answers say what is wrong"
        )


operation(tasks.task_make, Shown(notes=_made, lines=_treebanks), group=task, threads=1)
operation(
    tasks.task_check,
    Shown("checks:checked_document", content=_content, finish=_check),
    group=task,
)
operation(
    tasks.task_receive,
    Shown(lines=_received, finish=_check_received),
    group=task,
    create=True,
)
