"""Analysers: output text in, output tokens out (docs/analysers.md); made once for a treebank."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError, MissingDependencyError
from ...schema.files import check_regular
from .base import ANALYSIS_SCHEMA, Analyser

ANALYSER_NAMES = ("reference", "udpipe", "stanza", "spacy")

__all__ = ["ANALYSER_NAMES", "ANALYSIS_SCHEMA", "Analyser", "create_analyser"]


def create_analyser(
    name: str,
    *,
    tokens: pa.Table,
    multiword_tokens: pa.Table,
    texts: pa.Table | None = None,
    language: str | None,
    model: str | Path | None,
) -> Analyser:
    """Return the analyser of that name, ready to analyse outputs for one treebank.

    Args:
        name: One of ANALYSER_NAMES.
        tokens: The treebank's words: sentence_no, token_no, form, lemma, upos, deprel; and, where
            known, space_after (bool), from which `reference` learns what is written together.
        multiword_tokens: Its ranges: sentence_no, first_token_no, last_token_no, form.
        texts: Its sentences as they are printed, where known: sentence_no, text.
        language: ISO 639 code such as `en`; None when not known.
        model: The model's file or folder, for the analysers that have one.

    Raises:
        InputError: The name is unknown, or the model cannot be used.
        MissingDependencyError: The package or the model is missing.
    """
    if name == "reference":
        from .reference import ReferenceAnalyser

        return ReferenceAnalyser(tokens, multiword_tokens, texts, language)
    if name == "udpipe":
        from .pipelines import UdpipeAnalyser

        return UdpipeAnalyser(_existing_model(name, model, "a .udpipe file"))
    if name == "stanza":
        from .pipelines import StanzaAnalyser

        return StanzaAnalyser(_existing_model(name, model, "a resources folder"), language)
    if name == "spacy":
        from .pipelines import SpacyAnalyser

        return SpacyAnalyser(_existing_model(name, model, "the folder of a saved pipeline"))
    if name == "conllu":
        raise InputError(
            "The analysis conllu is what a CoNLL-U file brings along; it analyses no text.",
            hint="ingest the outputs as a CoNLL-U file instead of a text file",
        )
    raise InputError(
        f"There is no analyser {name!r}.",
        hint=f"choose one of {', '.join(ANALYSER_NAMES)}, or ingest an analysed file (conllu)",
    )


def _existing_model(name: str, model: str | Path | None, kind: str) -> Path:
    if model is None:
        raise MissingDependencyError(
            f"The {name} analyser needs a model.",
            hint=f"name {kind} on your disk; models are never downloaded",
        )
    path = Path(model)
    if not path.exists():
        raise MissingDependencyError(
            f"The model of the {name} analyser is not there.",
            where=str(path),
            hint=f"check the path: it must be {kind}",
        )
    check_regular(path)
    return path


_TOKENS = (
    "SELECT sentence_no, token_no, form, lemma, upos, deprel, space_after "
    "FROM token WHERE treebank_id = ? AND form IS NOT NULL ORDER BY sentence_no, token_no"
)
_RANGES = (
    "SELECT sentence_no, first_token_no, last_token_no, form FROM multiword_token "
    "WHERE treebank_id = ? AND form IS NOT NULL ORDER BY sentence_no, first_token_no"
)
_TEXTS = (
    "SELECT sentence_no, text FROM sentence WHERE treebank_id = ? AND text IS NOT NULL "
    "ORDER BY sentence_no"
)
_NO_WORDS = pa.table(
    {
        **{name: pa.array([], pa.int32()) for name in ("sentence_no", "token_no")},
        **{name: pa.array([], pa.string()) for name in ("form", "lemma", "upos", "deprel")},
    }
)


class GuidedAnalyser:
    """The analyser that a treebank's references guide, read from the database when first used."""

    def __init__(
        self, database: Database, name: str, version: str, treebank_id: str, language: str | None
    ) -> None:
        self.name = name
        self.version = version
        self._database = database
        self._treebank_id = treebank_id
        self._language = language

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
        """Return the words of the texts as a table of ANALYSIS_SCHEMA."""
        return self._analyser.analyse(sentence_nos, texts)

    @cached_property
    def _analyser(self) -> Analyser:
        tokens, ranges, texts = (
            self._database.connection.execute(query, [self._treebank_id]).to_arrow_table()
            for query in (_TOKENS, _RANGES, _TEXTS)
        )
        collecting = gc.isenabled()
        gc.disable()  # of the many objects that this makes, all are kept
        try:
            return create_analyser(
                self.name,
                tokens=tokens,
                multiword_tokens=ranges,
                texts=texts,
                language=self._language,
                model=None,
            )
        finally:
            if collecting:
                gc.enable()


def analyser_factory(
    database: Database, name: str, model: Path | None = None
) -> Callable[[str], Analyser]:
    """Return a function that gives the analyser of a treebank.

    A pipeline is loaded once, Stanza's once for each language. The ``reference`` analyser tells its
    version at once and learns from its treebank when it is given something to analyse; where a
    treebank's content has been replaced, it learns anew.
    """

    @cache
    def untaught(language: str | None) -> Analyser:
        """The analyser without a treebank: all there is of a pipeline, the version of any."""
        return create_analyser(
            name, tokens=_NO_WORDS, multiword_tokens=_NO_WORDS, language=language, model=model
        )

    @cache
    def guided(treebank_id: str, language: str | None, _sha256: str) -> Analyser:
        return GuidedAnalyser(database, name, untaught(None).version, treebank_id, language)

    def analyser(treebank_id: str) -> Analyser:
        language, sha256 = database.connection.execute(
            "SELECT language, sha256 FROM treebank WHERE treebank_id = ?", [treebank_id]
        ).fetchone() or (None, "")
        if name == "reference":
            return guided(treebank_id, language, sha256)
        return untaught(language if name == "stanza" else None)

    return analyser
