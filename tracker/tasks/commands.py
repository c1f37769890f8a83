"""``tracker task``: shared tasks made and received, and what is in test sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ...schema.brief import plural
from ...schema.errors import CheckFailedError
from ...schema.parameters import Option
from ..cli.groups import SuggestingGroup
from ..cli.operation import operation
from ..cli.output import state_of
from ..cli.shown import Own, Shown
from . import making, operations, receiving

if TYPE_CHECKING:
    from ...ingest.outputs.submissions import Submitted
    from ...ingest.tasks.challenges import LoadedChallenge
    from ...ingest.tasks.outputs import CheckedOutputs
    from .making import Task
    from .receiving import Received


task = SuggestingGroup("task", help="Organise a surface realisation task, or take part in one.")


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
            f"faults in {plural(faulty, 'file')}, not loaded", hint="the answers say what is wrong"
        )


operation(making.task_make, Shown(notes=_made, lines=_treebanks), group=task, threads=1)
operation(
    operations.task_check,
    Shown("tasks.receiving:checked_document", content=_content, finish=_check),
    group=task,
)
operation(
    receiving.task_receive,
    Shown(lines=_received, finish=_check_received),
    group=task,
    create=True,
)


def _plain(result: Any) -> Any:
    from ..show.json_forms import result_as_json

    return result_as_json(result)


challenge = operation(
    operations.challenge,
    Shown("tasks.findings:challenges_document", rows=lambda result: result.rates),
)

overlap = operation(
    operations.overlap,
    Shown(
        "tasks.findings:overlap_document",
        content=_plain,
        options={"top": Own(Annotated[int, Option("Show so many sentences.", low=1)], 10)},
    ),
)

drift = operation(
    operations.drift,
    Shown(
        "tasks.findings:drift_document",
        content=_plain,
        options={"top": Own(Annotated[int, Option("Show so many changes of a kind.", low=1)], 10)},
        chart=lambda draw, result, _: draw("drift_chart", result),
        chart_options={"help": "Draw what changed as well: .png, .svg, .html or .json."},
    ),
)


def _challenge(loaded: LoadedChallenge) -> Iterator[str]:
    yield (
        f"{loaded.treebank_id}: {loaded.challenge}: {state_of(loaded.changed)}, "
        f"{plural(loaded.items, 'item')} of {loaded.phenomena:,} phenomena"
    )
    if not loaded.submissions:
        yield "note: no outputs are loaded for it yet, so there is nothing to check"


ingest_challenge = operation(
    operations.ingest_challenge,
    Shown(notes=_challenge),
    name="challenge",
    progress="challenge",
    create=True,
)


def _carried(runs: Sequence[Submitted]) -> Iterator[str]:
    for run in runs:
        state = state_of(run.changed, "loaded and scored")
        yield f"{run.submission_id}: {state}, {plural(run.missing, 'sentence')} without an output"


carry = operation(operations.carry, Shown(notes=_carried), progress="carrying")
