"""Which sentences belong together: documents, equal texts, sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.ingest.treebanks.sources import ingest_sources
from sr_tracker.ingest.treebanks.test_sets import ingest_references
from sr_tracker.queries.clusters import clusters
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from tests.building import chain, conllu, written

TREEBANK = "en_one-ud1.0-test"


def load(
    database: Database, folder: Path, words: list[str], documents: dict[int, str] | None = None
) -> None:
    """Sentences of a word each; a document (its name, or an empty text) starts before some."""
    blocks = conllu([chain([word]) for word in words]).strip().split("\n\n")
    named = {
        n: f"# newdoc id = {name}\n" if name else "# newdoc\n"
        for n, name in (documents or {}).items()
    }
    text = "".join(f"{named.get(n, '')}{b}\n\n" for n, b in enumerate(blocks, start=1))
    path = written(folder / f"{TREEBANK}.conllu", text)
    ingest_treebank(database, path, name_treebank(path))


def several(words: int) -> list[str]:
    return [f"w{number}" for number in range(words)]


def test_documents_of_the_file(database: Database, tmp_path: Path) -> None:
    starts = {2: "a", 4: "", **{n: f"d{n}" for n in range(5, 12)}, 12: "", 14: "a"}
    load(database, tmp_path, several(14), starts)
    found = clusters(database, TREEBANK)
    assert (found.unit, found.number) == ("document", 11)
    # Before the first document there is none; one name twice is one document, none twice are two.
    assert found.keys.tolist() == [1, 2, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 2]
    assert clusters(database, TREEBANK, [14, 3, 13]).keys.tolist() == [2, 2, 12]


def test_documents_beside_the_file_are_those(database: Database, tmp_path: Path) -> None:
    load(database, tmp_path, several(24), {1: "whole"})
    documents = tmp_path / "documents.txt"
    documents.write_text("".join(f"news d{n // 2}\n" for n in range(24)))
    ingest_sources(database, TREEBANK, documents=documents)
    found = clusters(database, TREEBANK)
    assert found.unit == "document"
    assert found.keys.tolist() == [2 * (n // 2) + 1 for n in range(24)]


def test_few_documents_are_passed_over_unless_asked_for(database: Database, tmp_path: Path) -> None:
    load(database, tmp_path, [*several(20), "w3"], {1: "a", 8: "b"})
    found = clusters(database, TREEBANK)
    assert (found.unit, found.keys[-1], found.number) == ("text", 4, 20)
    assert found.note.startswith("2 documents are too few to resample: each text counts")
    asked = clusters(database, TREEBANK, unit="document")
    assert not asked.note
    assert asked.keys.tolist() == [1] * 7 + [8] * 14


def test_texts_are_equal_in_composed_form_with_single_blanks(
    database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "references.txt"
    texts = [*several(10), "caf\u00e9  au lait", "cafe\u0301 au\u00a0lait", "Caf\u00e9 au lait"]
    path.write_text("".join(f"{text}\n" for text in texts))
    ingest_references(database, path, name_treebank(path))
    found = clusters(database, "references")
    assert (found.unit, found.keys.tolist()) == ("text", [*range(1, 12), 11, 13])


def test_equal_sources_belong_together(database: Database, tmp_path: Path) -> None:
    load(database, tmp_path, several(14))
    sources = tmp_path / "sources.txt"
    sources.write_text(
        "".join(f"source {n // 2}\n" for n in range(14)).replace("source 6", "source 0")
    )
    assert clusters(database, TREEBANK).unit == "sentence"
    ingest_sources(database, TREEBANK, sources=sources)
    assert clusters(database, TREEBANK).unit == "sentence"  # six are too few
    asked = clusters(database, TREEBANK, unit="text")
    assert asked.keys.tolist() == [2 * (n // 2) + 1 for n in range(12)] + [1, 1]


def test_sentences_where_nothing_repeats(database: Database, tmp_path: Path) -> None:
    load(database, tmp_path, several(12), {n: f"d{n}" for n in range(1, 13)})
    found = clusters(database, TREEBANK)
    assert found.unit == "sentence"
    assert np.array_equal(found.keys, np.arange(1, 13))


def test_hidden_texts_are_not_equal(database: Database, tmp_path: Path) -> None:
    path = tmp_path / f"{TREEBANK}.conllu"
    path.write_text(conllu([chain(["a"])] * 12, hidden=True))
    ingest_treebank(database, path, name_treebank(path))
    assert clusters(database, TREEBANK, unit="text").number == 12


def test_other_units(database: Database) -> None:
    with pytest.raises(InputError, match="'paragraph' is not resampled"):
        clusters(database, TREEBANK, unit="paragraph")
