"""Fixtures of the ingestion tests: small files, and what is loaded of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sr_tracker.ingest.analysers import Analyser, analyser_factory
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.schema.database import Database
from tests.building import written

WORDS = [*("the", "small", "dog", "sees", "a", "green"), *("bird", "near", "our", "old", "house")]


def sentence_rows(sentence: int) -> list[str]:
    """Return the CoNLL-U lines of a sentence of seven words, the first of them its own."""
    forms = [f"word{sentence}x"] + [WORDS[(sentence * 5 + n) % len(WORDS)] for n in range(6)]
    trees = ["0\troot"] + ["1\tdep"] * 6
    return [
        f"{n}\t{form}\t{form}\tNOUN\t_\t_\t{tree}\t_\t_"
        for n, (form, tree) in enumerate(zip(forms, trees, strict=True), start=1)
    ]


def conllu_text(sentences: int) -> str:
    blocks = (
        "\n".join([f"# sent_id = s-{number}", *sentence_rows(number)]) + "\n\n"
        for number in range(1, sentences + 1)
    )
    return "".join(blocks)


@pytest.fixture
def treebank(database: Database, tmp_path: Path) -> str:
    """The id of a loaded treebank of 30 sentences, s-1 to s-30."""
    path = written(tmp_path / "en_toy-ud-test.conllu", conllu_text(30))
    name = name_treebank(path)
    ingest_treebank(database, path, name)
    return name.treebank_id


@pytest.fixture
def references(database: Database, treebank: str) -> list[str]:
    """The texts of the loaded treebank."""
    rows = database.connection.execute(
        "SELECT text FROM sentence WHERE treebank_id = ? ORDER BY sentence_no", [treebank]
    ).fetchall()
    return [text for (text,) in rows]


@pytest.fixture
def analyser(database: Database) -> Callable[[str], Analyser]:
    return analyser_factory(database, "reference")


@pytest.fixture
def second_campaign(
    database: Database,
    tmp_path: Path,
    treebank: str,
    references: list[str],
    analyser: Callable[[str], Analyser],
) -> Callable[[], object]:
    """What loads outputs of another campaign, C20."""
    path = written(tmp_path / "of_c20.txt", "\n".join(references))
    return lambda: ingest_submission(database, path, Run("C20", "A", treebank), analyser)


@pytest.fixture
def submissions(
    database: Database,
    tmp_path: Path,
    treebank: str,
    references: list[str],
    analyser: Callable[[str], Analyser],
) -> list[str]:
    """Two systems' submissions, the first system's also as iteration 2."""
    path = written(tmp_path / "outputs.txt", "\n".join(references))
    runs = (Run("C19", "A", treebank), Run("C19", "A", treebank, 2), Run("C19", "B", treebank))
    return [ingest_submission(database, path, run, analyser).submission_id for run in runs]
