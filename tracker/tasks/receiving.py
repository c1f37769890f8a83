"""What teams send to a task: checked, answered with a page each, loaded where it is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from unicodedata import normalize

from ...schema.brief import Brief, plural
from ...schema.errors import HALF_A_PAIR, InputError, TrackerError
from ...schema.files import make_folder, write_file
from ...schema.names import treebanks_named
from ...schema.parameters import Campaign, Option
from ..api.methods import Files, files_of
from ..show.model import Cell, Column, Document, Section
from ..show.tables import filled
from .making import Task, TaskFolder, TaskTreebank, read_task

if TYPE_CHECKING:
    from ...ingest.campaigns.runs import Submitted
    from ...ingest.tasks.outputs import CheckedOutputs
    from ..api.tracker import Tracker


class OrganiserError(InputError):
    """Something that is not the teams' to put right."""


@dataclass(frozen=True, repr=False)
class ReceivedFile(Brief):
    """A file that a team sent, and what became of it."""

    checked: CheckedOutputs
    treebank_id: str | None
    submitted: Submitted | None = None


@dataclass(frozen=True, repr=False)
class Received(Brief):
    """What a team sent, and the page that answers it."""

    team: str
    files: Sequence[ReceivedFile]
    page: Path

    @property
    def faulty(self) -> int:
        """How many of its files have faults."""
        return sum(bool(file.checked.faults) for file in self.files)


_MANY = 100
"""Files of one team that are looked at, where the task has few treebanks."""


def task_receive(
    tracker: Tracker,
    sent: Annotated[Files, Option(required=True)],
    task: TaskFolder,
    answers: Annotated[
        Path | str,
        Option("Folder for the answers, a page per team.", flag="--output", short="-o"),
    ],
    *,
    campaign: Annotated[
        Campaign | None, Option("Campaign to load into; else the name of the task.")
    ] = None,
) -> list[Received]:
    """Check the files that teams SENT, load the sound ones, and answer each team with a page.

    SENT are teams' folders, or a folder of them: a folder has the name of its team, a file that of
    its treebank. Files that are loaded already are skipped; other content becomes the next
    iteration. The references are loaded from the task's folder if they are not loaded yet. Exit
    code 1: faults.

    Returns what became of each team's files. Raises InputError where there is nothing, or the
    references are not there.

    >>> task, changed = db.task_make(["en_sample-ud1.0-test"], "task")
    >>> (answer,) = db.task_receive(["sent/ours"], "task", "answers")
    >>> answer.team
    'ours'
    """
    of_task = read_task(Path(task))
    received = []
    for team, files in _teams(files_of(sent)).items():
        if len(files) > max(_MANY, 10 * len(of_task.treebanks)):
            taken = [_too_many(files, of_task)]
        else:
            taken = [
                _take(tracker, of_task, file, team, campaign or of_task.name) for file in files
            ]
        answer = Received(team, taken, Path(answers) / f"{team}.html")
        _write_answer(of_task, answer)
        received.append(answer)
    return received


def _teams(sent: Sequence[Path]) -> dict[str, list[Path]]:
    teams: dict[str, list[Path]] = {}
    for path in sent:
        if not path.exists():
            raise InputError("there is no such file or folder", where=str(path), hint="name others")
        if not path.is_dir():
            teams.setdefault(_team(path.resolve().parent), []).append(path)
            continue
        paths = _visible(path)
        folders = [item for item in paths if item.is_dir()]
        if 0 < len(folders) < len(paths):
            beside = next(item.name for item in paths if item not in folders)
            raise InputError(
                f"'{beside}' lies beside folders",
                where=str(path),
                hint="a folder holds the folders of teams, or the files of one team",
            )
        for folder in folders or [path]:
            teams.setdefault(_team(folder.resolve()), []).extend(_visible(folder))
    if not any(teams.values()):
        hint = "a folder for each team, with a file for each treebank in it"
        raise InputError("nothing was sent", where=", ".join(map(str, sent)), hint=hint)
    return teams


def _team(folder: Path) -> str:
    """Return whose folder it is: one name, however the system that packed it writes its letters."""
    return normalize("NFC", folder.name)


def _visible(folder: Path) -> list[Path]:
    paths = [item for item in sorted(folder.iterdir()) if not item.name.startswith(".")]
    for item in paths:
        if HALF_A_PAIR.search(item.name):
            raise InputError("the name is no text in UTF-8", where=str(item), hint="rename it")
    return paths


def _too_many(files: Sequence[Path], task: Task) -> ReceivedFile:
    """Return the answer to who sends far more than the task asks for: a line, not one for each."""
    from ...ingest.tasks.outputs import CheckedOutputs, Finding

    message = f"{len(files):,} files, of which none was looked at; send one for each treebank: "
    finding = Finding("too many files", message + plural(len(task.treebanks), "treebank"))
    return ReceivedFile(CheckedOutputs(files[0].parent, 0, findings=[finding]), None)


def _take(tracker: Tracker, task: Task, file: Path, team: str, campaign: str) -> ReceivedFile:
    from ...ingest.tasks.outputs import CheckedOutputs, Finding

    try:
        if file.is_symlink():
            raise InputError("a link is not followed", hint="send the file itself")
        if file.is_dir():
            raise InputError("a folder is not looked into", hint="send its files outside of it")
        treebank = task.treebank_of(file)
    except TrackerError as error:
        kind = "link" if file.is_symlink() else "folder" if file.is_dir() else "unknown treebank"
        finding = Finding(kind, f"{error.message}; {error.hint}")
        return ReceivedFile(CheckedOutputs(file, 0, findings=[finding]), None)
    checked = CheckedOutputs(file, treebank.sentences)
    submitted = None
    try:
        checked = task.check(file)
        if not checked.faults:
            _load_references(tracker, task, treebank, campaign)
            submitted = tracker.ingest_submission(
                file,
                system=team,
                treebank=treebank.treebank_id,
                campaign=campaign,
                next_iteration=True,
                track=task.track,
            )
    except OrganiserError:
        raise
    except TrackerError as error:
        checked.findings.append(Finding("not loaded", error.message))
    return ReceivedFile(checked, treebank.treebank_id, submitted)


def _load_references(tracker: Tracker, task: Task, treebank: TaskTreebank, campaign: str) -> None:
    with tracker.writing() as database:
        if treebanks_named(database, treebank.treebank_id):
            return
    file = task.references / f"{treebank.name}.conllu"
    if not file.is_file():
        raise OrganiserError(
            f"the references of '{treebank.treebank_id}' are neither loaded nor in the task's "
            "folder",
            where=str(file),
            hint=f"'tracker ingest treebank FILE --id {treebank.treebank_id}' loads them",
        )
    tracker.ingest_treebank(file, treebank=treebank.treebank_id, campaign=campaign)


def _write_answer(task: Task, received: Received) -> None:
    from ..show.html import page
    from ..show.text import WHOLE, document_text

    document = team_document(task.name, received)
    make_folder(received.page.parent)
    write_file(received.page, page(document).encode())
    write_file(received.page.with_suffix(".txt"), document_text(document, WHOLE).encode())


LEGEND = ["faults keep a file from being loaded, doubts do not; lines count from 1"]


def checked_document(checked: CheckedOutputs) -> Document:
    """Return what is wrong with a file."""
    return Document(
        "Check",
        f"{checked.path.name}: {_state(checked)}",
        [_section(checked)] if checked.findings else [],
        lead=_outputs_text(checked),
        legend=LEGEND if checked.findings else [],
    )


def team_document(task: str, received: Received) -> Document:
    """Return the answer to a team: what became of each of its files, and what is wrong with it."""
    files = received.files
    loaded = sum(file.submitted is not None for file in files)
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
            *(_section(file.checked) for file in files if file.checked.findings),
        ],
        verdict=[
            f"{loaded} of {plural(len(files), 'file')} loaded"
            + (
                f"; {received.faulty} with faults: please mend and send again"
                * bool(received.faulty)
            )
        ],
        legend=LEGEND if any(file.checked.findings for file in files) else [],
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
        _outputs_text(file.checked),
        submitted.submission_id if submitted else "",
    )


def _state(checked: CheckedOutputs) -> str:
    faults = len(checked.faults)
    doubts = len(checked.findings) - faults
    counts = [
        f"{count} {name}{'s' * (count > 1)}"
        for count, name in ((faults, "fault"), (doubts, "doubt"))
        if count
    ]
    return ", ".join(counts) or "no faults"


def _outputs_text(checked: CheckedOutputs) -> str:
    return f"{checked.texts} of {checked.sentences} items have a text"


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
            Cell("fault" if item.fault else "doubt", tone="worse" if item.fault else "doubt"),
            item.kind,
            Cell("" if item.line is None else str(item.line), sort=item.line),
            Cell(str(item.count), sort=item.count),
            item.message,
        ]
        for item in checked.findings
    ]
    name = checked.path.name
    table = filled(f"Findings of {name}", columns, rows)
    return Section(f"file-{name}", name, name, blocks=[table])
