"""Shared tasks: made of treebanks, outputs checked, what teams send received."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ...schema.parameters import SEED, Seed
from .given import Files, files_of

if TYPE_CHECKING:
    from ...ingest.task.outputs import CheckedOutputs
    from ...ingest.treebanks.names import TreebankName
    from ..task.making import Task
    from ..task.receiving import Received
    from . import Tracker


def task_make(
    tracker: Tracker,
    treebanks: Files,
    folder: Path | str,
    *,
    name: str | None = None,
    seed: Seed = SEED,
    original_ids: bool = False,
    track: str = "shallow",
    functional: Mapping[str, Collection[str]] | None = None,
    pro_drop: bool | None = None,
) -> tuple[Task, bool]:
    """Write a shared task of treebanks, which are CoNLL-U files or loaded; return it.

    Also returned is whether anything changed. See ``tracker.task.making.make_task``.

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
    task: Path | str,
    *,
    treebank: str | None = None,
) -> CheckedOutputs:
    """Return what is wrong with a file of outputs for a task; the database is not looked at.

    >>> task, changed = db.task_make(["en_sample-ud1.0-test"], "task")
    >>> checked = db.task_check("news.txt", "task", treebank="en_sample-ud1.0-test")
    >>> [finding.kind for finding in checked.findings]
    ['neither id nor text', 'missing id']
    """
    from ..task.making import read_task

    return read_task(Path(task)).check(Path(file), treebank)


def task_receive(
    tracker: Tracker,
    sent: Files,
    task: Path | str,
    answers: Path | str,
    *,
    campaign: str | None = None,
) -> list[Received]:
    """Check what teams sent, load what is right, and answer each team with a page.

    The campaign is called as the task, where it is not given. See ``tracker.task.receiving``.

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
