"""A shared task's files: inputs, templates and a README for teams, references held back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from ...schema.brief import Brief
from ...schema.errors import InputError
from ...schema.files import bare_name, format_suffix, read_text, writing
from ...schema.names import resolve_treebank, unknown_name
from ...schema.parameters import SEED, Option, Seed, named_values
from ..api.methods import Files, files_of

if TYPE_CHECKING:
    from ...ingest.names import TreebankName
    from ...ingest.tasks.outputs import CheckedOutputs
    from ..api.tracker import Tracker

TaskFolder: TypeAlias = Annotated[
    Path | str, Option("Folder of the task, as 'task make' wrote it.", flag="--task")
]
PARTICIPANTS = "participants"
REFERENCES = "references"
_DESCRIPTION = "task.json"
_SUMS = "SHA256SUMS"

TRACKS = {"shallow": "T1", "deep": "T2"}
"""What a task describes itself as, for each track."""

_README = """\
# {name}: surface realisation, {track} track

{aim}

| treebank | input | sentences | words |
|---|---|---|---|
{rows}

## Inputs

{inputs}
## Outputs

Fill the templates in `templates/`, one file for each treebank, under the same name: UTF-8, every
item once, the text behind `#text =` on one line. An item without a text scores 0.

Check a file before you send it; no database is needed, only the Python package sr-tracker:

    tracker task check {example}.txt --task FOLDER

`FOLDER` is where this file is. Exit code 0: no faults; 1: there are some.

`SHA256SUMS` has the checksums of all files: `sha256sum --check SHA256SUMS`.
"""
_AIMS = {
    "shallow": """\
Generate a sentence from each tree of `inputs/`: put its words in order and inflect them.""",
    "deep": """\
Generate a sentence from each tree of `inputs/`: put its words in order, inflect them, and add the
functional words and the punctuation that are not there.""",
}
_INPUTS = {
    "shallow": """\
CoNLL-U, a blank line behind each sentence; items are numbered from 1 in the order of the file.
The second column is the lemma; LEMMA, DEPS and MISC are hidden. Words are in random order: their
numbers mean nothing but HEAD. The feature `lin` gives the place of punctuation, compounds, fixed
and flat expressions and conjuncts relative to their head among these: -1 is the nearest before it,
+2 the second behind it.
""",
    "deep": """\
CoNLL-U, a blank line behind each sentence; items are numbered from 1 in the order of the file.
The second column is the lemma; LEMMA, XPOS, DEPS and MISC are hidden. Words are in random order:
their numbers mean nothing but HEAD. Articles, auxiliaries, copulas, punctuation, subject and object
relative pronouns, and the adpositions and subordinators that structure calls for are removed; what
articles and auxiliaries say is told by the features Definiteness, Tense, Mood, Aspect and Modal.
The lemma `_` is a first argument that the sentence leaves out, or whose pronoun is not written.

| label | what the word is to the one above it |
|---|---|
| A1 to A6 | its first to sixth argument; the subject is A1, that of a passive A2 |
| A1INV, A2INV | it has the word above as an argument, as adpositions and conjunctions have |
| AM | no argument |
| LIST | the next element of a list |
| NAME | a part of its name |
| DEP | something else |
""",
}
_HELD_BACK = """\
# {name}: references, held back

Not for participants before the task is over: the treebanks as they are, sentence N is item N.
The words of the inputs were put in random order with seed {seed}.
"""


@dataclass(frozen=True)
class TaskTreebank:
    """A treebank of a task."""

    name: str
    """What its files are called."""
    treebank_id: str
    sentences: int
    words: int


@dataclass(frozen=True, repr=False)
class Task(Brief):
    """A shared task: where it is, and what it is about."""

    folder: Path
    """Where its participants' files are."""
    name: str
    track: str
    """Whether it is the shallow track or the deep one."""
    treebanks: Sequence[TaskTreebank]

    def treebank_of(self, file: Path, named: str | None = None) -> TaskTreebank:
        """Return the treebank that outputs are for: the one named, else as the file is called.

        Raises UnknownNameError where the task has none of that name.
        """
        wanted = named or bare_name(file)
        for item in self.treebanks:
            if wanted in (item.name, item.treebank_id):
                return item
        raise unknown_name(
            "treebank of the task",
            wanted,
            [item.name for item in self.treebanks],
            where=str(file),
            hint="call the file as its template is called, or name the treebank",
        )

    def check(self, file: Path, named: str | None = None) -> CheckedOutputs:
        """Return what is wrong with a file of outputs; see ``ingest.tasks.outputs``."""
        from ...ingest.tasks.outputs import check_outputs, input_lemmas

        if file.is_dir():
            example = file / f"{self.treebanks[0].name}.txt"
            raise InputError("this is a folder", where=str(file), hint=f"name a file: {example}")
        source = self.folder / "inputs" / f"{self.treebank_of(file, named).name}.conllu"
        return check_outputs(file, input_lemmas(read_text(source), str(source)))

    @property
    def references(self) -> Path:
        """The folder of the references, for those who organise the task."""
        return self.folder.parent / REFERENCES


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
    name: Annotated[str | None, Option("Name of the task; else that of the folder.")] = None,
    seed: Annotated[
        Seed, Option("Seed that decides, with the treebank's content, the order of the words.")
    ] = SEED,
    original_ids: Annotated[
        bool, Option("Keep the words' places, as training inputs may.")
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

    Returns the task and whether anything changed. ``functional`` and ``pro_drop`` are for the deep
    track, see ``ingest.tasks.deep.deepening``. Raises InputError for what is no treebank, for two
    of one name, and where the folder holds something else.

    >>> task, changed = db.task_make(["en_sample-ud1.0-test"], "task")
    >>> task.name, changed
    ('task', True)
    """
    from ...ingest.tasks.deep import deep_inputs, deepening
    from ...ingest.tasks.inputs import check_numbering, shallow_inputs
    from ...ingest.treebanks.conllu import parse_conllu
    from ...queries.resampling import check_seed

    folder = Path(folder)
    chosen = [_treebank(tracker, str(text)) for text in files_of(treebanks)]
    check_seed(seed)
    if track not in _AIMS:
        raise unknown_name("track", track, _AIMS)
    name = name or folder.resolve().name
    files = [_named(treebank, [item for item, _ in chosen]) for treebank, _ in chosen]
    if len({*files}) < len(files):
        raise InputError("a treebank is named twice", where=str(folder), hint="name each once")
    public: dict[str, str] = {}
    held: dict[str, str] = {}
    made = []
    for file, (treebank, text) in zip(files, chosen, strict=True):
        check_numbering(parse_conllu(text, treebank.treebank_id).sent_ids, treebank.treebank_id)
        inputs = (
            shallow_inputs(text, treebank.treebank_id, seed=seed, original_ids=original_ids)
            if track == "shallow"
            else deep_inputs(
                text,
                treebank.treebank_id,
                seed=seed,
                original_ids=original_ids,
                decided=deepening(treebank, functional, pro_drop=pro_drop),
            )
        )
        public[f"inputs/{file}.conllu"] = inputs.conllu
        public[f"templates/{file}.txt"] = template(inputs.sentences)
        held[f"{file}.conllu"] = text
        made.append(TaskTreebank(file, treebank.treebank_id, inputs.sentences, inputs.words))
    public["README.md"] = _README.format(
        name=name,
        track=track,
        aim=_AIMS[track],
        inputs=_INPUTS[track],
        example=next(iter(files), "FILE"),
        rows="\n".join(
            f"| {item.treebank_id} | `inputs/{item.name}.conllu` "
            f"| {item.sentences} | {item.words} |"
            for item in made
        ),
    )
    public[_DESCRIPTION] = (
        json.dumps(
            {"name": name, "track": TRACKS[track], "treebanks": [vars(item) for item in made]},
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
    )
    held["README.md"] = _HELD_BACK.format(name=name, seed=seed)
    changed = _write(
        folder,
        {f"{PARTICIPANTS}/{path}": text for path, text in _with_sums(public).items()}
        | {f"{REFERENCES}/{path}": text for path, text in _with_sums(held).items()},
    )
    return Task(folder / PARTICIPANTS, name, track, made), changed


def _treebank(tracker: Tracker, named: str) -> tuple[TreebankName, str]:
    from ...ingest.names import name_treebank
    from ...ingest.treebanks.loading import file_text, treebank_text

    if format_suffix(Path(named)) == ".conllu":
        return name_treebank(Path(named)), file_text(Path(named))[0]
    with tracker.reading() as database:
        treebank_id = resolve_treebank(database, named)
        text, _ = treebank_text(database, treebank_id)
    return name_treebank(Path(treebank_id), treebank_id=treebank_id), text


def template(sentences: int) -> str:
    """Return the file that participants fill, as SR'19's are written."""
    return "".join(f"#sent_id = {item}\n#text = \n\n" for item in range(1, sentences + 1))


def read_task(folder: Path) -> Task:
    """Return the task in a folder: the participants' files, or what holds them.

    Raises InputError where there is none.
    """
    folders = [item for item in (folder, folder / PARTICIPANTS) if (item / _DESCRIPTION).is_file()]
    if not folders:
        raise InputError(
            f"there is no {_DESCRIPTION}",
            where=str(folder),
            hint="name the folder that 'tracker task make' wrote",
        )
    source = folders[0] / _DESCRIPTION
    try:
        content = json.loads(read_text(source))
        treebanks = [TaskTreebank(**item) for item in content["treebanks"]]
        track = {code: track for track, code in TRACKS.items()}[content["track"]]
        return Task(folders[0], str(content["name"]), track, treebanks)
    except (ValueError, KeyError, TypeError) as error:
        hint = "take it anew from the organisers"
        raise InputError("this does not describe a task", where=str(source), hint=hint) from error


def _named(treebank: TreebankName, all_of_them: Sequence[TreebankName]) -> str:
    """Return the short name where it tells the treebank apart, else its id."""
    alike = [item for item in all_of_them if item.short_name == treebank.short_name]
    return treebank.short_name if len(alike) == 1 else treebank.treebank_id


def _with_sums(files: Mapping[str, str]) -> dict[str, str]:
    sums = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}
    lines = "".join(f"{digest}  {path}\n" for path, digest in sorted(sums.items()))
    return {**files, _SUMS: lines}


def _write(folder: Path, files: Mapping[str, str]) -> bool:
    """Write a folder whole or not at all; return whether it was not there already."""
    from shutil import rmtree

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        if _holds(folder, files):
            return False
        hint = "name an empty folder, or remove what is there"
        raise InputError("the folder holds something else", where=str(folder), hint=hint)
    unfinished = folder.with_name(f".{folder.name}.part")
    try:
        with writing(folder):
            rmtree(unfinished, ignore_errors=True)
            for path, text in files.items():
                (unfinished / path).parent.mkdir(parents=True, exist_ok=True)
                (unfinished / path).write_bytes(text.encode())
            if folder.exists():
                folder.rmdir()
            unfinished.replace(folder)
    finally:
        rmtree(unfinished, ignore_errors=True)
    return True


def _holds(folder: Path, files: Mapping[str, str]) -> bool:
    if not folder.is_dir():
        return False
    there = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    return there == {*files} and all(
        (folder / path).read_bytes() == text.encode() for path, text in files.items()
    )
