"""The `spacy` analyser: any spaCy pipeline saved in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from ...schema.errors import InputError, first_line
from ...schema.files import model_fingerprint, single_line
from ...schema.optional import optional_packages
from .base import AnalysedWord, AnalysisColumns


class SpacyAnalyser:
    """Runs a spaCy pipeline; what its components do not set stays NULL.

    spaCy splits no multiword tokens, and its relations are those of the model's training data
    (for English not those of UD); its `ROOT` is written `root`.
    """

    name = "spacy"

    def __init__(self, model: Path) -> None:
        """Load the pipeline.

        Raises:
            MissingDependencyError: spaCy is not installed.
            InputError: The folder is not a pipeline that the installed spaCy can load.
        """
        with optional_packages():
            import spacy
        try:
            self._pipeline = spacy.load(model)
        except (OSError, ValueError, KeyError, ImportError) as error:
            raise InputError(
                f"spaCy cannot load the pipeline: {first_line(error)}",
                where=str(model),
                hint="give the folder of a saved pipeline (the one with config.cfg and meta.json)",
            ) from error
        self.version = f"{self.name}/{spacy.__version__}+{model_fingerprint(model)}"

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
        """Return a table of ANALYSIS_SCHEMA, one output per text."""
        columns = AnalysisColumns()
        documents = self._pipeline.pipe(single_line(text) for text in texts.to_pylist())
        for sentence_no, document in zip(sentence_nos.to_pylist(), documents, strict=True):
            columns.add_output(sentence_no, _words(document))
        return columns.table()


def _words(document: Any) -> list[AnalysedWord]:
    tokens = [token for token in document if not token.is_space]
    number = {token.i: position for position, token in enumerate(tokens, start=1)}
    parsed = document.has_annotation("DEP")
    return [
        AnalysedWord(
            form=token.text,
            lemma=token.lemma_ or None,
            upos=token.pos_ or None,
            xpos=token.tag_ or None,
            feats=str(token.morph) or None,
            head=_head(token, number) if parsed else None,
            deprel=_relation(token.dep_) if parsed else None,
        )
        for token in tokens
    ]


def _head(token: Any, number: dict[int, int]) -> int:
    return 0 if token.head.i == token.i else number.get(token.head.i, 0)


def _relation(relation: str) -> str | None:
    return "root" if relation == "ROOT" else relation or None
