"""Which analyser a treebank's outputs get: made once, when there is something to analyse."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path

import pyarrow as pa

from ...schema.database import Database
from . import Analyser, create_analyser

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
