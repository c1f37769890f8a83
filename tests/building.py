"""Small campaigns as tests write and load them: files, treebanks, outputs, people's scores."""

from __future__ import annotations

import csv
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import duckdb

import sr_tracker
from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.queries.catalog import open_installed
from sr_tracker.queries.change.comparison.changes import complete_measures, family_changes
from sr_tracker.queries.change.comparison.model import Change, Settings
from sr_tracker.queries.change.comparison.sides import Pairing
from sr_tracker.schema.database import Database
from sr_tracker.schema.keys import natural_keys

if TYPE_CHECKING:
    from sr_tracker.tracker.api.tracker import Tracker

Word = tuple[str, int, str]
"""Form, head and relation."""
Content: TypeAlias = "str | bytes | Iterable[object]"
"""What a file is to hold: a text, bytes, or lines: texts, None for an empty one, rows of cells."""
Sentences: TypeAlias = "str | Iterable[Sequence[Sequence[str | int]]]"
"""A treebank: its CoNLL-U, or words of sentences as ``conllu`` takes them."""
T = TypeVar("T")
NO_TIMES = "COLUMNS(lambda name: NOT ends_with(name, '_at') AND name <> 'revision')"
WORDS = ("the", "big", "dog", "saw", "a", "small", "tree", "and", "ran", "to", "it", "home")


def chain(words: Iterable[str]) -> list[Word]:
    """Words each of which hangs from the one before."""
    return [(word, n, "dep" if n else "root") for n, word in enumerate(words)]


def random_sentences(number: int, seed: int) -> list[list[str]]:
    """Sentences of three to twelve of a few words, the same for the same seed."""
    rng = random.Random(seed)
    return [[rng.choice(WORDS) for _ in range(rng.randint(3, 12))] for _ in range(number)]


def shuffled(sentences: Iterable[Sequence[str]], share: float, seed: int) -> list[str]:
    """Sentences as texts, the words of a share of them in any order, the same for the same seed."""
    rng = random.Random(seed)
    texts = []
    for sentence in sentences:
        words = list(sentence)
        if rng.random() < share:
            rng.shuffle(words)
        texts.append(" ".join(words))
    return texts


def outputs_and_secrets(folder: Path) -> Path:
    """Make a database of a campaign and 200 outputs, and files beside it to be stolen."""
    with open_installed(folder / "campaign.duckdb") as database:
        database.connection.execute("INSERT INTO campaign VALUES ('C', 'C', 2026, NULL)")
        database.connection.execute(
            "INSERT INTO output SELECT 'C/s/t', i, 'text ' || i FROM range(1, 201) AS t(i)"
        )
    with duckdb.connect(str(folder / "other.duckdb")) as other:
        other.execute("CREATE TABLE secret AS SELECT 'hidden' AS word")
    (folder / "secret.csv").write_text("word\nhidden\n")
    (folder / "secret.json").write_text('{"word": "hidden"}')
    return folder / "campaign.duckdb"


def conllu(
    sentences: Iterable[Sequence[Sequence[str | int]]],
    *,
    texts: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    hidden: bool = False,
) -> str:
    """Sentences as CoNLL-U; their ids are s1, s2, … unless given.

    A word is form, head and relation, and where they matter part of speech, features and lemma
    (else ``X``, none and the form); ``hidden`` leaves the forms out.
    """
    blocks = []
    for number, words in enumerate(sentences, start=1):
        lines = [f"# sent_id = {names[number - 1] if names else f's{number}'}"]
        lines += [f"# text = {texts[number - 1]}"] if texts is not None else []
        for n, (form, head, relation, *more) in enumerate(words, start=1):
            upos, feats, lemma = (*more, *("X", "_", form)[len(more) :])
            written = "_" if hidden else form
            columns = (n, written, lemma, upos, "_", feats, head, relation, "_", "_")
            lines.append("\t".join(map(str, columns)))
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


def written(path: Path, content: Content) -> Path:
    """Write a file, in folders that are made where they are not there, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
        return path
    with path.open("w", encoding="utf-8", newline="") as file:
        if isinstance(content, str):
            file.write(content)
            return path
        rows = csv.writer(file, lineterminator="\n")
        for line in content:
            if line is None or isinstance(line, str):
                file.write(f"{line or ''}\n")
            else:
                rows.writerow(line)  # type: ignore[arg-type]
    return path


def load(loader: Callable[..., T], content: Content, name: str, /, **how: Any) -> T:
    """Load a file of this name with this content, which is gone then; return what that returns."""
    with tempfile.TemporaryDirectory() as folder:
        return loader(written(Path(folder) / name, content), **how)


@contextmanager
def campaign(
    path: Path | None = None,
    treebanks: Mapping[str, Sentences] | None = None,
    outputs: Mapping[str, Content] | None = None,
    *,
    references: Mapping[str, Content] | None = None,
    people: Iterable[Sequence[object]] = (),
    scored: Sequence[str] | bool = False,
    name: str = "local",
    language: str = "en",
    **run: Any,
) -> Iterator[Tracker]:
    """Make a database of a campaign, and give it to the block open for writing.

    ``path`` is its file, None for one in memory. Treebanks, references without trees and outputs
    (texts, or CoNLL-U) stand by their names: outputs by their system, ``ours``, or iteration,
    ``ours@2``, where they are for the first test set, else by ``campaign/system/test set@2``.
    ``people`` are rows of a table of human scores, ``scored`` the metrics or True for all, and
    ``run`` further fields of each run.
    """
    with sr_tracker.connect(path, create=path is not None) as tracker, tracker.writing():
        for treebank, sentences in (treebanks or {}).items():
            text = sentences if isinstance(sentences, str) else conllu(sentences)
            own = None if name == "local" else name
            load(tracker.ingest_treebank, text, f"{treebank}.conllu", campaign=own)
        for test_set, texts in (references or {}).items():
            add_references(tracker, test_set, texts, language=language)
        first = next(iter([*(treebanks or {}), *(references or {})]), "")
        for run_name, texts in (outputs or {}).items():
            add_run(tracker, run_name, texts, first, campaign=name, **run)
        if people:
            load(tracker.ingest_scores, people, "people.csv", campaign_id=name)
        if scored:
            tracker.score(metrics=None if scored is True else scored)
        yield tracker


def add_references(
    tracker: Tracker,
    name: str,
    texts: Content,
    *,
    sources: Content | None = None,
    documents: Content | None = None,
    **how: Any,
) -> None:
    """Load references without trees, their sources and documents (lines of kind, tab, name)."""
    with tempfile.TemporaryDirectory() as folder:
        files = {"sources": sources, "documents": documents}
        places = {
            kind: written(Path(folder) / kind, lines)
            for kind, lines in files.items()
            if lines is not None
        }
        path = written(Path(folder) / f"{name}.txt", texts)
        tracker.ingest_references(path, treebank=name, **places, **how)


def add_run(tracker: Tracker, name: str, outputs: Content, treebank: str = "", **run: Any) -> str:
    """Load outputs by a name as ``campaign`` takes it, and return the id of the submission."""
    path, _, iteration = name.partition("@")
    *campaigns, system, own = path.split("/") if "/" in path else (path, treebank)
    details = {"iteration": int(iteration or 1), **run}
    details |= {"campaign": campaigns[0]} if campaigns else {}
    file = "outputs.conllu" if isinstance(outputs, str) and "\t" in outputs else "outputs.txt"
    load_run = tracker.ingest_submission
    return load(load_run, outputs, file, system=system, treebank=own, **details).submission_id


def made_of(statements: Path, folder: Path) -> Path:
    """Return the file of a database with the rows that a file of SQL inserts."""
    path = folder / "campaign.duckdb"
    with open_installed(path) as database, database.transaction():
        database.connection.execute(statements.read_text(encoding="utf-8"))
    return path


def add_treebank(
    database: Database,
    folder: Path,
    treebank_id: str,
    sentences: Iterable[Sequence[Sequence[str | int]]],
    *,
    hidden: bool = False,
    campaign_id: str | None = None,
) -> None:
    """Write sentences to a file that has the name of the treebank, and load it."""
    path = written(folder / f"{treebank_id}.conllu", conllu(sentences, hidden=hidden))
    ingest_treebank(database, path, name_treebank(path), campaign_id=campaign_id)


def contents(
    place: Any, tables: Iterable[str] = tuple(natural_keys()), *, columns: str = NO_TIMES
) -> dict[str, list[str]]:
    """Rows of tables of a file, a database or a connection: sorted texts, with all digits."""
    if isinstance(place, Path):
        with duckdb.connect(str(place), read_only=True) as opened:
            return contents(opened, tables, columns=columns)
    query = " UNION ALL ".join(
        f"SELECT '{table}', coalesce(list_sort(list(rows::VARCHAR)), []) "
        f"FROM (SELECT {columns} FROM {table}) AS rows"
        for table in tables
    )
    return dict(getattr(place, "connection", place).execute(query).fetchall())


def add_outputs(
    database: Database,
    folder: Path,
    texts: Iterable[str],
    system: str,
    treebank_id: str,
    *,
    campaign_id: str = "C",
    replace: bool = False,
    **run: Any,
) -> str:
    """Load one output a line, compared with the references' tokens; return the submission."""
    path = written(folder / "output.txt", texts)
    values: dict[str, Any] = {"accept_mismatch": True, "reference_form": "tokens", **run}
    details = Run(campaign_id, system, treebank_id, **values)
    analyser = analyser_factory(database, "reference")
    return ingest_submission(database, path, details, analyser, replace=replace).submission_id


def measure_changes(
    pairing: Pairing, names: Sequence[str] | None, settings: Settings
) -> list[Change]:
    """How measures changed, tested now whatever is stored; None for all but patterns."""
    measured = complete_measures(pairing, names)
    chosen = [*measured] if names is None else names
    (changes,) = family_changes([(pairing, chosen, measured)], settings)
    return [changes[name] for name in chosen]
