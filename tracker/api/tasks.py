"""Shared tasks: made of treebanks, outputs checked, what teams send received."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from ...schema.parameters import SEED, Campaign, Option, Seed, Treebank, named_values
from .given import Files, files_of

if TYPE_CHECKING:
    from ...ingest.tasks.outputs import CheckedOutputs
    from ...ingest.treebanks.names import TreebankName
    from ..task.making import Task
    from ..task.receiving import Received
    from .tracker import Tracker


TaskFolder: TypeAlias = Annotated[
    Path | str, Option("Folder of the task, as 'task make' wrote it.", flag="--task")
]


def _lemmas(texts: tuple[str, ...]) -> dict[str, list[str]]:
    return {
        kind: [lemma.strip().lower() for lemma in lemmas.split(",") if lemma.strip()]
        for kind, lemmas in named_values(texts, "--functional").items()
    }


def task_make(
    tracker: Tracker,
    treebanks: Annotated[Files, Option(names="treebank", metavar="TREEBANK...", required=True)],
    folder: Annotated[Path | str, Option("Folder to write.", flag="--output", short="-o")],
    *,
    name: Annotated[str | None, Option("What the task is called; else as the folder is.")] = None,
    seed: Annotated[
        Seed, Option("With the treebank's content, it decides the order of the words.")
    ] = SEED,
    original_ids: Annotated[
        bool, Option("Tell the words' places, as training inputs may.")
    ] = False,
    track: Annotated[
        str,
        Option(
            "shallow: all words, unordered lemmas; deep: content words and their arguments.",
            choices=("shallow", "deep"),
        ),
    ] = "shallow",
    functional: Annotated[
        Mapping[str, Collection[str]] | None,
        Option(
            "deep: words that structure calls for, such as nmod=of, agent=by, support=do; known "
            "for en, es and fr.",
            metavar="KIND=LEMMA,…",
            convert=_lemmas,
        ),
    ] = None,
    pro_drop: Annotated[
        bool | None,
        Option(
            "deep: whether each missing subject is a dummy pronoun; else as the language has it "
            "(es).",
            flag="--pro-drop/--no-pro-drop",
        ),
    ] = None,
) -> tuple[Task, bool]:
    """Write a track of a task: inputs, templates and a README, references apart.

    Each TREEBANK is a CoNLL-U file or a treebank of the database. The folder participants is for
    everybody, the folder references is held back.

    Returns the task and whether anything changed, see ``tracker.task.making.make_task``.

    >>> task, changed = db.task_make(["en_sample-ud1.0-test"], "task")
    >>> task.name, changed
    ('task', True)
    """
    from ..task.making import make_task

    given = [_treebank(tracker, str(each)) for each in files_of(treebanks)]
    return make_task(
        given,
        Path(folder),
        name=name,
        seed=seed,
        original_ids=original_ids,
        track=track,
        functional=functional,
        pro_drop=pro_drop,
    )


def task_check(
    tracker: Tracker,  # noqa: ARG001
    file: Path | str,
    task: TaskFolder,
    *,
    treebank: Annotated[
        Treebank | None,
        Option("Treebank of the task, where the file is not called after it."),
    ] = None,
) -> CheckedOutputs:
    """Tell what is wrong with a FILE of outputs; no database is needed.

    Exit code 0: no faults, though perhaps doubts; 1: faults.

    Returns what was found.

    >>> task, changed = db.task_make(["en_sample-ud1.0-test"], "task")
    >>> checked = db.task_check("news.txt", "task", treebank="en_sample-ud1.0-test")
    >>> [finding.kind for finding in checked.findings]
    ['neither id nor text', 'missing id']
    """
    from ..task.making import read_task

    return read_task(Path(task)).check(Path(file), treebank)


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
    """Check what teams SENT, load what is right, and answer each team with a page.

    SENT are teams' folders, or a folder of such: a folder's name is the team's, a file's name that
    of its treebank. What is loaded already is nothing new; other content is the next iteration.
    The references are loaded from the task's folder where they are not yet. Exit code 1: faults.

    Returns what became of each team's files, see ``tracker.task.receiving``.

    >>> task, changed = db.task_make(["en_sample-ud1.0-test"], "task")
    >>> (answer,) = db.task_receive(["sent/ours"], "task", "answers")
    >>> answer.team
    'ours'
    """
    from ..task.making import read_task
    from ..task.receiving import receive

    read = read_task(Path(task))
    return receive(tracker, read, files_of(sent), Path(answers), campaign=campaign or read.name)


def _treebank(tracker: Tracker, named: str) -> tuple[TreebankName, str]:
    from ...ingest.treebanks.loading import file_text, treebank_text
    from ...ingest.treebanks.names import name_treebank
    from ...schema.files import format_suffix
    from ...schema.names import resolve_treebank

    if format_suffix(Path(named)) == ".conllu":
        return name_treebank(Path(named)), file_text(Path(named))[0]
    with tracker.reading() as database:
        treebank_id = resolve_treebank(database, named)
        text, _ = treebank_text(database, treebank_id)
    return name_treebank(Path(treebank_id), treebank_id=treebank_id), text
