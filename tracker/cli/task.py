"""``tracker task``: a shared task made, its outputs checked and received."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from ...schema.brief import plural
from ...schema.errors import CheckFailedError
from ...schema.parameters import named_values
from .context import Context, command
from .groups import SuggestingGroup
from .options import PATH, TREEBANK, option
from .output import Destination, document_options, write_document

_task_option = option(
    "--task", required=True, type=PATH, help="Folder of the task, as 'task make' wrote it."
)


@click.group(cls=SuggestingGroup, name="task")
def task() -> None:
    """Organise a surface realisation task, or take part in one."""


@command("make", task)
@click.argument("treebanks", metavar="TREEBANK...", nargs=-1, required=True, type=TREEBANK)
@option("output", type=PATH, required=True, help="Folder to write.")
@option("--name", help="What the task is called; else as the folder is.")
@option("seed", help="With the treebank's content, it decides the order of the words.")
@option("--original-ids", is_flag=True, help="Tell the words' places, as training inputs may.")
@option(
    "--track",
    choices=["shallow", "deep"],
    default="shallow",
    help="shallow: all words, unordered lemmas; deep: content words and their arguments.",
)
@option(
    "--functional",
    multiple=True,
    metavar="KIND=LEMMA,…",
    help="deep: words that structure calls for, such as nmod=of, agent=by, support=do; known for "
    "en, es and fr.",
)
@option(
    "--pro-drop/--no-pro-drop",
    default=None,
    help="deep: whether each missing subject is a dummy pronoun; else as the language has it (es).",
)
def make(
    context: Context,
    treebanks: tuple[str, ...],
    output: Path,
    functional: tuple[str, ...],
    **options: Any,
) -> None:
    """Write a track of a task: inputs, templates and a README, references apart.

    Each TREEBANK is a CoNLL-U file or a treebank of the database. The folder participants is for
    everybody, the folder references is held back.
    """
    task, changed = context.tracker(threads=1).task_make(
        treebanks, output, functional=_lemmas(functional), **options
    )
    state = "written" if changed else "nothing new"
    sentences = sum(each.sentences for each in task.treebanks)
    context.say(
        f"{output}: {state}, {plural(len(task.treebanks), 'treebank')}, "
        f"{plural(sentences, 'sentence')}"
    )
    for each in task.treebanks:
        click.echo(
            f"{each.name}: {plural(each.sentences, 'sentence')}, {plural(each.words, 'word')}"
        )


def _lemmas(functional: tuple[str, ...]) -> dict[str, list[str]]:
    given = named_values(functional, "--functional")
    return {
        kind: [lemma.strip().lower() for lemma in lemmas.split(",") if lemma.strip()]
        for kind, lemmas in given.items()
    }


@command("check", task)
@click.argument("file", type=PATH)
@_task_option
@option("treebank", help="Treebank of the task, where the file is not called after it.")
@document_options
def check(context: Context, file: Path, task: Path, treebank: str | None, to: Destination) -> None:
    """Tell what is wrong with a FILE of outputs; no database is needed.

    Exit code 0: no faults, though perhaps doubts; 1: faults.
    """
    from ..show.findings.checks import checked_document
    from ..task.making import read_task

    checked = read_task(task).check(file, treebank)
    content = {
        **vars(checked),
        "path": str(file),
        "findings": [vars(each) for each in checked.findings],
    }
    write_document(context, to, partial(checked_document, checked), lambda: content)
    if checked.faults:
        raise CheckFailedError(
            f"the file has {len(checked.faults)} kinds of faults",
            where=str(file),
            hint="mend them: it would not be loaded",
        )


@command("receive", task)
@click.argument("sent", nargs=-1, required=True, type=PATH)
@_task_option
@option("campaign", help="Campaign to load into; else the name of the task.")
@option("output", type=PATH, required=True, help="Folder for the answers, a page per team.")
def receive(
    context: Context, sent: tuple[Path, ...], task: Path, campaign: str | None, output: Path
) -> None:
    """Check what teams SENT, load what is right, and answer each team with a page.

    SENT are teams' folders, or a folder of such: a folder's name is the team's, a file's name that
    of its treebank. What is loaded already is nothing new; other content is the next iteration.
    The references are loaded from the task's folder where they are not yet. Exit code 1: faults.
    """
    received = context.tracker(create=True).task_receive(sent, task, output, campaign=campaign)
    for each in received:
        loaded = sum(file.submitted is not None for file in each.files)
        click.echo(
            f"{each.team}: {loaded} of {plural(len(each.files), 'file')} loaded ({each.page})"
        )
    faulty = sum(each.faulty for each in received)
    if faulty:
        raise CheckFailedError(
            f"{faulty} files have faults and were not loaded", hint="the answers say what is wrong"
        )
