"""Small treebanks and submissions as tests write and load them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.ingest.treebanks.names import name_treebank
from sr_tracker.schema.database import Database

Word = tuple[str, int, str]
"""Form, head and relation."""
WORDS = ("the", "big", "dog", "saw", "a", "small", "tree", "and", "ran", "to", "it", "home")


def chain(words: Iterable[str]) -> list[Word]:
    """Words each of which hangs from the one before."""
    return [(word, n, "dep" if n else "root") for n, word in enumerate(words)]


def random_sentences(number: int, seed: int) -> list[list[str]]:
    """Sentences of three to twelve of a few words, the same for the same seed."""
    rng = random.Random(seed)
    return [[rng.choice(WORDS) for _ in range(rng.randint(3, 12))] for _ in range(number)]


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
    path = folder / f"{treebank_id}.conllu"
    path.write_text(conllu(sentences, hidden=hidden), encoding="utf-8")
    ingest_treebank(database, path, name_treebank(path), campaign_id=campaign_id)


def rows_of(database: Database, query: str, *values: object) -> list[dict[str, Any]]:
    """The rows of a query by the names of their columns."""
    found: list[dict[str, Any]] = (
        database.connection.execute(query, list(values)).to_arrow_table().to_pylist()
    )
    return found


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
    path = folder / "output.txt"
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    values: dict[str, Any] = {"accept_mismatch": True, "reference_form": "tokens", **run}
    details = Run(campaign_id, system, treebank_id, **values)
    analyser = analyser_factory(database, "reference")
    return ingest_submission(database, path, details, analyser, replace=replace).submission_id
